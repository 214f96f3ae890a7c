"""Texts of the main platform's pages for visitors."""

# The texts of each page that SPEC 2.1 to 2.13 quotes, byte for byte.
SPEC_TEXTS = {
    "/": ("Change", "Start Your Journey", "Browse Services", "Angel's List", "SkillShare"),
    "/login": ("Email", "Password", "Sign In", "Forgot your password?", "Continue with Google"),
    "/signup": (
        "First name",
        "Last name",
        "Email",
        "Password",
        "Confirm password",
        "Create Account",
        "Continue with Google",
    ),
    "/forgot-password": ("Email",),
    "/pricing": ("Community Member", "Skill Sharer", "Premium Angel"),
    "/about": ("Trust and safety", "Learn by doing", "Local first"),
    "/how-it-works": ("Create Your Profile", "Browse & Connect", "Book Sessions", "Learn & Earn"),
    "/liability-demo": ("Join Exchange (Waiver Required)",),
    "/privacy": ("Privacy Policy", "Last updated: December 2024"),
    "/privacy_policy": ("Privacy Policy", "Last updated: December 2024"),
    "/terms": ("Terms and Conditions", "Last updated: December 2024"),
    "/terms_and_conditions": ("Terms and Conditions", "Last updated: December 2024"),
    "/contact": ("Contact Us", "Coming Soon"),
    "/help": ("Help Center", "Coming Soon"),
    "/safety": ("Safety & Trust", "Coming Soon"),
    "/skills": ("Session Templates", "AI Coaching", "Book Session", "Find Teachers"),
    "/angels-list": ("All Cities", "Denver", "Boulder", "View Angels", "Book Now"),
}
# The titles of the announced pages.
COMING_SOON = {
    "/help": "Help Center",
    "/contact": "Contact Us",
    "/safety": "Safety & Trust",
    "/blog": "Blog",
    "/success-stories": "Success Stories",
    "/events": "Community Events",
    "/forum": "Discussion Forum",
    "/mentorship": "Mentorship Program",
}
