// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
float scaled(float x);
extern float factor;
