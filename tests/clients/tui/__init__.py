"""Tests of the table on the full screen."""
