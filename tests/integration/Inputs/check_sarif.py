#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a SARIF file for what code hosts and editors need of it, and its results' rules in order.

usage: check_sarif.py FILE RULE…
"""
import importlib.util
import json
import os
import sys

schema = os.environ.get("LATHE_SARIF_SCHEMA")
document = json.load(open(sys.argv[1]))
assert document["version"] == "2.1.0" and document["$schema"].endswith("sarif-2.1.0.json")
(run,) = document["runs"]
driver = run["tool"]["driver"]
assert driver["name"] == "lathe" and driver["semanticVersion"]
rules = [rule["id"] for rule in driver["rules"]]
assert len(set(rules)) == len(rules)
for rule in driver["rules"]:
    assert rule["shortDescription"]["text"]
    if rule["id"] != "warning":
        assert rule["help"]["markdown"].startswith(f"# {rule['id']} ("), rule
        assert "helpUri" not in rule or rule["helpUri"].startswith("https://")
found = [result["ruleId"] for result in run["results"]]
assert found == sys.argv[2:], found
for result in run["results"]:
    assert rules[result["ruleIndex"]] == result["ruleId"]
    assert result["level"] in ("error", "warning", "note") and result["message"]["text"]
    (location,) = result["locations"]
    place = location["physicalLocation"]
    uri = place["artifactLocation"]["uri"]
    assert uri and " " not in uri and (not uri.startswith("/")), uri
    assert uri.startswith("file:///") or place["artifactLocation"]["uriBaseId"] in run["originalUriBaseIds"]
    if "region" in place:
        assert place["region"]["startLine"] >= 1 and place["region"].get("startColumn", 1) >= 1
    for flow in result.get("codeFlows", []):
        steps = flow["threadFlows"][0]["locations"]
        assert len(steps) >= 2 and all(step["location"]["message"]["text"] for step in steps)
        assert steps[0]["location"]["message"]["text"].startswith("in kernel '")
        assert steps[-1]["location"]["physicalLocation"] == place
    for number, related in enumerate(result.get("relatedLocations", []), 1):
        assert related["id"] == number and related["physicalLocation"]["region"]["startLine"] >= 1
if "unsupported" in found:
    unsupported = run["results"][found.index("unsupported")]
    assert "targets that have it" in unsupported["message"]["text"]
    assert unsupported["codeFlows"] and unsupported["properties"] == {
        "target": "opencl-c", "stage": "validate", "entry": "first(unsigned int*)"}
    (holder,) = unsupported["locations"][0]["logicalLocations"]
    assert holder == {"fullyQualifiedName": "tick(unsigned int)", "kind": "function"}, holder
    flow = [step["location"] for step in unsupported["codeFlows"][0]["threadFlows"][0]["locations"]]
    names = [step["logicalLocations"][0]["fullyQualifiedName"] for step in flow]
    assert names == ["first(unsigned int*)", "tick(unsigned int)", "tick(unsigned int)"], names
    assert "__lathe_clock" in unsupported["locations"][0]["physicalLocation"]["region"]["snippet"]["text"]
if schema and importlib.util.find_spec("jsonschema"):
    import jsonschema

    jsonschema.validate(document, json.load(open(schema)), format_checker=jsonschema.FormatChecker())
(invocation,) = run["invocations"]
assert invocation["executionSuccessful"] == (invocation["exitCode"] == 0)
