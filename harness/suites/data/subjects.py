"""MMLU's 57 subjects: the field and group that the authors put each in, and its test rows."""

from __future__ import annotations

from dataclasses import dataclass

# Five worked questions a subject, in the published order that few-shot prompts use.
DEV_ROWS = 5


@dataclass(frozen=True)
class Subject:
    """group: STEM, humanities, social sciences or other. rows: in the test split."""

    field: str
    group: str
    rows: int


SUBJECTS: dict[str, Subject] = {
    "abstract_algebra": Subject("math", "STEM", 100),
    "anatomy": Subject("health", "other", 135),
    "astronomy": Subject("physics", "STEM", 152),
    "business_ethics": Subject("business", "other", 100),
    "clinical_knowledge": Subject("health", "other", 265),
    "college_biology": Subject("biology", "STEM", 144),
    "college_chemistry": Subject("chemistry", "STEM", 100),
    "college_computer_science": Subject("computer science", "STEM", 100),
    "college_mathematics": Subject("math", "STEM", 100),
    "college_medicine": Subject("health", "other", 173),
    "college_physics": Subject("physics", "STEM", 102),
    "computer_security": Subject("computer science", "STEM", 100),
    "conceptual_physics": Subject("physics", "STEM", 235),
    "econometrics": Subject("economics", "social sciences", 114),
    "electrical_engineering": Subject("engineering", "STEM", 145),
    "elementary_mathematics": Subject("math", "STEM", 378),
    "formal_logic": Subject("philosophy", "humanities", 126),
    "global_facts": Subject("other", "other", 100),
    "high_school_biology": Subject("biology", "STEM", 310),
    "high_school_chemistry": Subject("chemistry", "STEM", 203),
    "high_school_computer_science": Subject("computer science", "STEM", 100),
    "high_school_european_history": Subject("history", "humanities", 165),
    "high_school_geography": Subject("geography", "social sciences", 198),
    "high_school_government_and_politics": Subject("politics", "social sciences", 193),
    "high_school_macroeconomics": Subject("economics", "social sciences", 390),
    "high_school_mathematics": Subject("math", "STEM", 270),
    "high_school_microeconomics": Subject("economics", "social sciences", 238),
    "high_school_physics": Subject("physics", "STEM", 151),
    "high_school_psychology": Subject("psychology", "social sciences", 545),
    "high_school_statistics": Subject("math", "STEM", 216),
    "high_school_us_history": Subject("history", "humanities", 204),
    "high_school_world_history": Subject("history", "humanities", 237),
    "human_aging": Subject("health", "other", 223),
    "human_sexuality": Subject("culture", "social sciences", 131),
    "international_law": Subject("law", "humanities", 121),
    "jurisprudence": Subject("law", "humanities", 108),
    "logical_fallacies": Subject("philosophy", "humanities", 163),
    "machine_learning": Subject("computer science", "STEM", 112),
    "management": Subject("business", "other", 103),
    "marketing": Subject("business", "other", 234),
    "medical_genetics": Subject("health", "other", 100),
    "miscellaneous": Subject("other", "other", 783),
    "moral_disputes": Subject("philosophy", "humanities", 346),
    "moral_scenarios": Subject("philosophy", "humanities", 895),
    "nutrition": Subject("health", "other", 306),
    "philosophy": Subject("philosophy", "humanities", 311),
    "prehistory": Subject("history", "humanities", 324),
    "professional_accounting": Subject("other", "other", 282),
    "professional_law": Subject("law", "humanities", 1534),
    "professional_medicine": Subject("health", "other", 272),
    "professional_psychology": Subject("psychology", "social sciences", 612),
    "public_relations": Subject("politics", "social sciences", 110),
    "security_studies": Subject("politics", "social sciences", 245),
    "sociology": Subject("culture", "social sciences", 201),
    "us_foreign_policy": Subject("politics", "social sciences", 100),
    "virology": Subject("health", "other", 166),
    "world_religions": Subject("philosophy", "humanities", 171),
}

GROUPS = ("STEM", "humanities", "social sciences", "other")


def words(subject: str) -> str:
    """``us_foreign_policy`` as prompts say it: ``us foreign policy``."""
    return subject.replace("_", " ")
