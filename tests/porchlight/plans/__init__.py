"""Tests of plans and their limits."""
