"""Tests of connected calendars."""
