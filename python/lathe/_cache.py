# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cache of compiles (docs/cache.md), as Python configures and reads it."""
from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from . import _lathe


class CacheStats(NamedTuple):
    """Counts of what happened in a cache's folder, over all processes since it was made or cleared."""
    folder: str
    entries: int
    bytes: int
    disk_bytes: int
    memory_hits: int
    disk_hits: int
    misses: int  #: compiles
    stores: int
    damaged: int
    evicted: int
    remote_hits: int
    remote_failures: int
    uploads: int


@dataclass(frozen=True)
class CacheConfig:
    """Where compiles are kept: the fields of lathe::CacheConfig (include/lathe/cache.h). Sizes in bytes. Picklable.

    What is empty comes from the environment of the process that compiles: LATHE_CACHE_DIR, LATHE_CACHE_REMOTE, ….
    """
    folder: str | os.PathLike[str] = ""
    read_only_folders: tuple[str, ...] = ()
    remotes: tuple[str, ...] = ()  #: "redis://HOST", "http://HOST/PATH", …
    read_only: bool = False
    disk: bool = True
    disk_bytes: int = 2 << 30
    memory_bytes: int = 64 << 20
    enabled: bool = True

    def _fields(self) -> dict[str, Any]:
        return dict(asdict(self), folder=os.fspath(self.folder), read_only_folders=list(map(os.fspath, self.read_only_folders)),
                    remotes=list(self.remotes))

    def stats(self) -> CacheStats:
        """Counts of the folder. Raises lathe.Error ("invalid-argument") if there is none to use; so do the others."""
        return CacheStats(**_lathe.cache_stats(self._fields()))

    def verify(self) -> int:
        """Reads everything and removes what is damaged. The number of files that were."""
        return _lathe.cache_verify(self._fields())

    def prune(self, to: int | None = None) -> int:
        """Removes what was not used longest until at most `to` bytes are left, by default `disk_bytes`. The number of files."""
        return _lathe.cache_prune(self._fields(), self.disk_bytes if to is None else to)

    def clear(self) -> int:
        """Removes everything and sets the counts to 0. The number of files."""
        return _lathe.cache_clear(self._fields())


#: What compile() and batch() take: a configuration, a folder, None (the environment's) or False (no cache).
CacheArgument = CacheConfig | str | os.PathLike[str] | bool | None


def fields(cache: CacheArgument) -> dict[str, Any]:
    if cache is None or cache is True:
        cache = CacheConfig()
    elif cache is False:
        cache = CacheConfig(enabled=False)
    elif not isinstance(cache, CacheConfig):
        cache = CacheConfig(folder=os.fspath(cache))
    return cache._fields()
