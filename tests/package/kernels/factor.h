#pragma once
#define FACTOR 1
