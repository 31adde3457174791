#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the polynomials of core/device/vector_math.cpp: minimax fits by Remez' exchange algorithm, as floats, the
highest power first, with the largest error that they add to a result (log2). Needs mpmath.

usage: vector_math_fits.py
"""
import struct

import mpmath
from mpmath import mpf

mpmath.mp.dps = 40
TINY = mpf(10) ** -9  # stands for zero where a fitted function is only defined beside it


def remez(function, weight, low, high, terms):
    """Coefficients of powers that make the largest weight(x) |function(x) - p(x)| least, and that."""
    low, high, samples = mpf(low), mpf(high), 1500
    grid = [low + (high - low) * i / samples for i in range(samples + 1)]
    points = [(low + high) / 2 - (high - low) / 2 * mpmath.cos(mpmath.pi * i / terms) for i in range(terms + 1)]
    while True:
        system = mpmath.matrix(terms + 1, terms + 1)
        for i, x in enumerate(points):
            for j in range(terms):
                system[i, j] = x**j
            system[i, terms] = (-1) ** i / weight(x)
        solution = mpmath.lu_solve(system, mpmath.matrix([function(x) for x in points]))
        out = [solution[j] for j in range(terms)]
        errors = [weight(x) * (function(x) - mpmath.polyval(out[::-1], x)) for x in grid]
        extremes = []
        for i, error in enumerate(errors):
            if not extremes or (error > 0) != (errors[extremes[-1]] > 0):
                extremes.append(i)
            elif abs(error) > abs(errors[extremes[-1]]):
                extremes[-1] = i
        while len(extremes) > terms + 1:
            extremes.pop(0 if abs(errors[extremes[0]]) < abs(errors[extremes[-1]]) else -1)
        after = [grid[i] for i in extremes]
        if len(after) <= terms or max(abs(a - b) for a, b in zip(after, points)) < (high - low) / samples / 2:
            return out, max(abs(e) for e in errors)
        points = after


def show(name, function, weight, low, high, terms):
    coefficients, error = remez(function, weight, low, high, terms)
    floats = [struct.unpack("f", struct.pack("f", float(c)))[0] for c in reversed(coefficients)]
    print(f"{name}: {', '.join(f.hex() for f in floats)} (2^{float(mpmath.log(error, 2)):.1f})")


def beside(x):
    return x if abs(x) > TINY else TINY


half = mpmath.log(2) / 2 * mpf("1.0005")
show("exp", lambda x: (mpmath.exp(beside(x)) - 1 - beside(x)) / beside(x) ** 2, lambda x: max(x * x, mpf("0.01")),
     -half, half, 5)
show("exp2", lambda x: (mpmath.power(2, beside(x)) - 1) / beside(x), lambda x: max(abs(x), mpf("0.05")),
     mpf("-0.5005"), mpf("0.5005"), 6)
show("log", lambda x: (mpmath.log1p(beside(x)) - beside(x) + beside(x) ** 2 / 2) / beside(x) ** 3,
     lambda x: max(x * x, mpf("0.004")), (mpmath.sqrt(mpf(1) / 2) - 1) * mpf("1.0002"),
     (mpmath.sqrt(2) - 1) * mpf("1.0002"), 8)


def sine(t):
    r = mpmath.sqrt(max(t, TINY**2))
    return (mpmath.sin(r) - r) / r**3


def sine_weight(t):
    r = mpmath.sqrt(max(t, mpf("0.05")))
    return r**3 / mpmath.sin(r)


show("sin", sine, sine_weight, 0, (mpmath.pi / 2 * mpf("1.0005")) ** 2, 4)


def erf_near(t):
    x = mpmath.sqrt(max(t, TINY**2))
    return mpmath.erf(x) / x


show("erf, small (its last less 1)", erf_near, lambda t: 1 / erf_near(t), 0, mpf("0.95") ** 2, 7)
show("erf, large", lambda a: -mpmath.log(mpmath.erfc(a)) / a, lambda a: a * mpmath.erfc(a) / mpmath.erf(a),
     mpf("0.94"), mpf("3.95"), 6)


def erfc_part(t):
    x = max(2 * (1 + t) / (1 - t), mpf("1e-12"))
    return ((1 + 2 * x) * mpmath.exp(x * x) * mpmath.erfc(x) - 1) / x


def erfc_weight(t):
    x = 2 * (1 + t) / (1 - t)
    return max(x, mpf("0.05")) / (1 + x * erfc_part(t))


show("erfc", erfc_part, erfc_weight, -1, mpf("8.1") / mpf("12.1"), 10)
