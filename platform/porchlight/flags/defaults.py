"""All flags with their default values (SPEC 3)."""

from __future__ import annotations

DEFAULTS: dict[str, bool] = {
    "booking": True,
    "messaging": True,
    "reviews": True,
    "userProfiles": True,
    "skillListing": True,
    "adminDashboard": True,
    "systemReports": True,
    "communityEvents": False,
    "certifications": False,
    "orgTools": False,
    "dataProducts": False,
    "advancedAnalytics": False,
    "realTimeChat": False,
    "aiRecommendations": False,
    "mobileApp": False,
    "darkMode": False,
    "internationalSupport": False,
    "instantPayouts": False,
}

# Flags that nothing reads yet: setting them has no effect.
UNREAD = frozenset(
    {
        "adminDashboard",
        "communityEvents",
        "orgTools",
        "dataProducts",
        "advancedAnalytics",
        "aiRecommendations",
        "mobileApp",
        "darkMode",
        "internationalSupport",
    }
)
