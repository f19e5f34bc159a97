"""Tests of the protocol, and what they share."""
