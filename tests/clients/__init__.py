"""Tests of the clients, and what they share."""
