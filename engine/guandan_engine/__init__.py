"""Guandan rules: pure, deterministic, no clock, no chance, no input or output."""
