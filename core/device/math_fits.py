#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes core/device/math_fits.inc, the polynomials of core/device/math.cpp: Chebyshev interpolations of the Bessel
functions with what makes them hard divided out, and of the gamma function's reciprocal, which is smooth, cut where the
rest is below a double's last place. Needs mpmath.

usage: math_fits.py > math_fits.inc
"""
import mpmath
from mpmath import mpf

mpmath.mp.dps = 50
TINY = mpf(10) ** -15  # stands for zero where a fitted function is only defined beside it


def chebyshev(function, low, high, terms=56):
    low, high = mpf(low), mpf(high)
    nodes = [mpmath.cos(mpmath.pi * (i + mpf(1) / 2) / terms) for i in range(terms)]
    values = [function((low + high) / 2 + (high - low) / 2 * x) for x in nodes]
    out = []
    for j in range(terms):
        out.append(2 * sum(v * mpmath.cos(j * mpmath.pi * (i + mpf(1) / 2) / terms) for i, v in enumerate(values)) / terms)
    out[0] /= 2
    least = min(abs(v) for v in values)
    while sum(abs(c) for c in out[-1:]) < least * mpf(2) ** -60:
        out.pop()
    return out


def powers(series):
    """The coefficients of powers of the same variable, which goes from -1 to 1."""
    out = [mpf(0)] * len(series)
    last, this = [mpf(0)], [mpf(1)]
    for k, c in enumerate(series):
        for i, p in enumerate(this):
            out[i] += c * p
        after = [mpf(0)] + [(1 if k == 0 else 2) * p for p in this]
        for i, p in enumerate(last):
            after[i] -= 0 if k == 0 else p
        last, this = this, after
    return out


def from_zero(coefficients):
    """Of (u + 1) / 2 instead of u: without cancellation where all become positive."""
    out = [mpf(0)]
    for c in reversed(coefficients):
        out = [a - b for a, b in zip([mpf(0)] + [2 * o for o in out], out + [mpf(0)])]
        out[0] += c
    return out[: len(coefficients)]


def write(name, meaning, coefficients):
    print(f"/// {meaning}\ninline double {name}(double u) {{\n  return polynomial(u", end="")
    for i, c in enumerate(reversed(coefficients)):
        print(",\n                    " if i % 3 == 0 else ", ", end="")
        print(mpmath.nstr(c, 19, min_fixed=0, max_fixed=0), end="")
    print(");\n}")


def zero(name, value):
    high = mpf(float(value))
    print(f"constexpr Zero {name} = {{{float(high)!r}, {float(value - high)!r}}};")


print("// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n//\n"
      "// Written by math_fits.py. x: the functions' argument; t = x².")
for v in (0, 1):
    j = [mpmath.besseljzero(v, i) for i in (1, 2, 3)]
    y = [mpmath.besselyzero(v, i) for i in (1, 2, 3)]
    for i in (0, 1, 2):
        zero(f"j{v}Zero{i + 1}", j[i])
    for i in ((0, 1, 2) if v == 0 else (0, 1)):
        zero(f"y{v}Zero{i + 1}", y[i])

    def near(t):
        x = mpmath.sqrt(t)
        return mpmath.besselj(v, x) / x ** v / ((t - j[0] ** 2) * (t - j[1] ** 2) * (t - j[2] ** 2))

    over = "" if v == 0 else " / x"
    write(f"j{v}Near", f"J{v}(x){over} without its zeros below 11, u = t / 32 - 1", powers(chebyshev(near, 0, 64)))

    def small(t):
        x = max(mpmath.sqrt(t), TINY)
        if v == 0:
            return (mpmath.bessely(0, x) - 2 / mpmath.pi * mpmath.log(x / y[0]) * mpmath.besselj(0, x)) / (t - y[0] ** 2)
        return (mpmath.bessely(1, x) - 2 / mpmath.pi * (mpmath.log(x) * mpmath.besselj(1, x) - 1 / x)) / x

    write(f"y{v}Small",
          "(Y0(x) - 2/pi ln(x / y0Zero1) J0(x)) / (t - y0Zero1²), u = t / 2 - 1" if v == 0 else
          "(Y1(x) - 2/pi (ln(x) J1(x) - 1/x)) / x, u = t / 2 - 1", powers(chebyshev(small, 0, 4)))

    def middle(x):
        a, b = (y[1], y[2]) if v == 0 else (y[0], y[1])
        return mpmath.bessely(v, x) / ((x - a) * (x - b))

    write(f"y{v}Middle", f"Y{v}(x) without its zeros from 2 to 8, u = (x - 5) / 3", powers(chebyshev(middle, 2, 8)))

    # J = sqrt(2 / (pi x)) (P cos w - Q sin w), Y = … (P sin w + Q cos w), w = x - (2 v + 1) pi / 4 (DLMF 10.17).
    def far(s, which):
        x = 8 / mpmath.sqrt(s)
        scale, w = mpmath.sqrt(mpmath.pi * x / 2), x - (2 * v + 1) * mpmath.pi / 4
        first, second = mpmath.besselj(v, x) * scale, mpmath.bessely(v, x) * scale
        if which == 0:
            return first * mpmath.cos(w) + second * mpmath.sin(w)
        return (second * mpmath.cos(w) - first * mpmath.sin(w)) * x

    write(f"p{v}", f"P of order {v}, u = 128 / t - 1", powers(chebyshev(lambda s: far(s, 0), 0, 1)))
    write(f"q{v}", f"x Q of order {v}, u = 128 / t - 1", powers(chebyshev(lambda s: far(s, 1), 0, 1)))

    def growing(t):
        x = max(mpmath.sqrt(t), TINY)
        return mpmath.besseli(v, x) / x ** v

    write(f"i{v}Near", f"I{v}(x){over}, u = t / 64", from_zero(powers(chebyshev(growing, 0, 64))))

    def grown(w):
        x = 8 / w
        return mpmath.exp(-x) * mpmath.sqrt(x) * mpmath.besseli(v, x)

    write(f"i{v}Far", f"I{v}(x) sqrt(x) / exp(x), u = 16 / x - 1", powers(chebyshev(grown, 0, 1)))

write("reciprocalGamma", "1 / gamma(1 + x), u = 2 x - 1", powers(chebyshev(lambda x: mpmath.rgamma(1 + x), 0, 1)))
