"""Faults that were reported of other harnesses, and what here shows that they do not happen.

``where`` is the public report in which the fault was told. ``tests`` are node ids, without
parameters; ``because`` says why it cannot happen, where that is not a matter of a test alone.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Report:
    """One fault. Either tests, or a reason, or both."""

    number: int
    where: str
    fault: str
    tests: tuple[str, ...] = ()
    because: str = ""


REPORTS = (
    Report(
        1, "inspect_ai#1357, inspect_ai#2779",
        "A command that ran out of time goes on running in its container.",
        ("peer_reports/test_boxes.py::test_a_command_out_of_time_runs_no_more",),
    ),
    Report(
        2, "mini-swe-agent#826",
        "Out of time, the shell is killed and its child goes on; what it printed is lost.",
        (
            "peer_reports/test_boxes.py::test_children_that_escaped_their_session_end_too",
            "sandbox/test_containment.py::test_daemon_left_behind_is_killed_and_counted",
        ),
    ),
    Report(
        3, "OpenHands#207",
        "A process left in the background holds the output open, and the call never returns.",
        ("peer_reports/test_boxes.py::test_a_process_in_the_background_holds_nothing_up",),
    ),
    Report(
        4, "inspect_ai#4709",
        "The container dies or its disk is full, every later call fails, and the episode counts.",
        (
            "agent/test_loop.py::test_a_lost_box_is_no_score_and_no_call_is_left_open",
            "sandbox/test_leaks.py::test_box_killed_from_outside_is_lost_and_says_so",
            "sandbox/test_containment.py::test_signals_do_not_reach_the_server",
            "sandbox/test_containment.py::test_disk_filler",
            "chaos/test_disturbed.py::test_disturbed_runs_end_as_calm_ones",
        ),
    ),
    Report(
        5, "OpenHands/benchmarks#33, OpenHands/benchmarks#76, mini-swe-agent#797",
        "Containers stay behind after an end, an error, Ctrl+C or a kill.",
        (
            "sandbox/test_leaks.py::test_killed_runner_leaves_no_box",
            "sandbox/test_leaks.py::test_death_between_create_and_start_leaves_no_container",
            "sandbox/test_leaks.py::test_clean_removes_the_ownerless_and_nothing_else",
            "chaos/test_disturbed.py::test_disturbed_runs_end_as_calm_ones",
        ),
    ),
    Report(
        6, "mini-swe-agent#832",
        "A container's lifetime ends while the agent goes on and pays for tokens.",
        (
            "sandbox/test_leaks.py::test_lifetime_ends_a_box_that_is_in_use",
            "agent/test_loop.py::test_a_lost_box_is_no_score_and_no_call_is_left_open",
        ),
        "The first call to a box that is gone ends the episode, before another request.",
    ),
    Report(
        7, "stella#2198",
        "A process of the agent still writes while the grader reads its tree.",
        ("sandbox/test_box.py::test_after_a_snapshot_nothing_more_is_done",),
        "The model runs no process; the server kills all but itself, takes no more calls, and only "
        "then packs the tree, which is graded in fresh boxes.",
    ),
    Report(
        8, "inspect_ai#509, inspect_ai#706",
        "Closing many containers is slow, or holds up the end of the program.",
        ("peer_reports/test_boxes.py::test_many_boxes_open_and_close_side_by_side",),
        "Each sample closes its own box as soon as it is done with it.",
    ),
    Report(
        9, "OpenHands/benchmarks#690, SWE-bench#144",
        "The disk fills up with images.",
        (
            "sandbox/test_select.py::test_an_image_of_another_recipe_is_missing",
            "e2e/test_bad_input.py::test_a_disk_that_fills_up_ends_the_run_and_a_resume_completes_it",
        ),
        "There is one image for all tasks, boxes are read-only, and their logs are not kept.",
    ),
    Report(
        10, "Docker's default pool of addresses, as told in inspect_ai's manual",
        "About thirty networks use up the daemon's addresses.",
        (
            "peer_reports/test_boxes.py::test_many_boxes_open_and_close_side_by_side",
            "sandbox/test_attest.py::test_contradicting_facts_are_refused",
        ),
        "No box has a network, so none is ever made.",
    ),
    Report(
        11, "mini-swe-agent#894",
        "A malformed call is told to the model as output that was cut.",
        (
            "agent/test_loop.py::test_malformed_arguments_are_explained_and_never_sent_back",
            "agent/test_loop.py::test_unknown_tools_and_odd_names_are_answered",
            "agent/test_loop.py::test_a_cut_reply_is_never_repaired",
            "models/test_openai_chat.py::test_arguments_that_are_no_object_are_kept_and_explained",
        ),
    ),
    Report(
        12, "mini-swe-agent#914",
        "Turns that do not parse are paid for and not counted.",
        ("agent/test_loop.py::test_turns_that_do_not_parse_are_charged",),
    ),
    Report(
        13, "SWE-agent#971, OpenHands#13954, inspect_ai#520",
        "Replies without a call go on for ever.",
        (
            "agent/test_loop.py::test_prose_is_nudged_three_times_in_a_row",
            "agent/test_loop.py::test_a_call_ends_the_row_of_nudges_but_not_the_total",
            "agent/test_loop.py::test_an_empty_reply_counts_as_no_call",
        ),
    ),
    Report(
        14, "inspect_ai, its own loop of tool calls",
        "A model that asks for an unknown tool again and again spends millions of tokens.",
        (
            "agent/test_loop.py::test_the_same_failing_call_is_told_once_and_stopped_at_the_third",
            "agent/test_loop.py::test_the_same_malformed_call_is_stopped_too",
            "agent/test_loop.py::test_limits_are_checked_before_each_request",
        ),
    ),
    Report(
        15, "inspect_ai#4682",
        "Arguments too long for the server spoil the history, and every later request fails.",
        ("agent/test_loop.py::test_long_arguments_are_cut_in_history_only",),
    ),
    Report(
        16, "inspect_ai#4822",
        "A stray quote after the arguments turns them into none, and the call is carried out so.",
        (
            "models/test_openai_chat.py::test_arguments_that_are_no_object_are_kept_and_explained",
            "models/test_openai_chat.py::test_empty_arguments_are_an_object_unless_cut",
        ),
    ),
    Report(
        17, "mini-swe-agent#921",
        "A prompt longer than the context is sent ten times.",
        (
            "models/test_openai_chat.py::test_context_overflow_is_the_models_end",
            "agent/test_loop.py::test_an_overflow_answer_is_the_context_limit",
        ),
    ),
    Report(
        18, "inspect_ai#2505, inspect_ai#2506, OpenHands#6357",
        "Shortening the history tears a call from its result, or never ends.",
        (
            "agent/test_limits.py::test_a_full_slot_is_the_context_limit",
            "agent/test_loop.py::test_length_with_the_context_full_is_the_context_limit",
        ),
        "History is never shortened: a full context ends the episode, whose tree is graded.",
    ),
    Report(
        19, "mini-swe-agent f1d6217b, agentscope-java#2409",
        "An interruption leaves a call without a result, and the next request is refused.",
        (
            "agent/test_loop.py::test_cancelling_leaves_a_consistent_transcript",
            "agent/test_loop.py::test_cancelling_while_the_model_replies",
            "agent/test_loop.py::test_parallel_calls_run_in_order_and_none_after_finish",
        ),
    ),
    Report(
        20, "inspect_ai#1753",
        "Library and harness both wait after an error, for hours in all.",
        (
            "models/test_retry.py::test_waits_grow_to_a_bound_and_never_undercut_what_is_asked",
            "models/test_openai_chat.py::test_faults_of_the_server_are_sent_again",
            "models/test_openai_chat.py::test_a_longer_wait_than_allowed_is_not_begun",
        ),
    ),
    Report(
        21, "inspect_ai#2902",
        "Waiting for a rate limit uses up the sample's working time.",
        ("agent/test_loop.py::test_waiting_for_a_rate_limit_does_not_run_the_clock",),
    ),
    Report(
        22, "SWE-bench_Pro-os#78",
        "Episodes that died of a rate limit are scored 0.",
        (
            "suites/test_repos.py::test_a_failed_request_has_no_score_and_is_not_graded",
            "execution/test_runner.py::test_faults_leave_no_score_and_are_run_again_by_the_next_session",
            "report/test_scores.py::test_samples_without_a_score_stand_apart",
        ),
    ),
    Report(
        23, "mini-swe-agent#583, mini-swe-agent#596",
        "A price that is unknown or zero is an error, or puts the cost limit out of force.",
        (
            "models/test_usage.py::test_a_cost_limit_needs_prices",
            "models/test_usage.py::test_missing_counts_are_unknown",
        ),
    ),
    Report(
        24, "SWE-bench#631, aider#5681, benchflow#1116",
        "A conftest, an ini file or a plugin of the solution decides about its own tests.",
        (
            "grading/test_grade.py::test_planted_files_have_no_say",
            "grading/test_grade.py::test_every_exploit_scores_nothing_and_is_flagged",
            "grading/test_assemble.py::test_a_planted_file_is_left_out_and_named",
        ),
    ),
    Report(
        25, "SWE-bench#601, SWE-bench#608, SWE-bench#620",
        "Printed marks and results are believed.",
        (
            "grading/test_grade.py::test_forged_results_for_true_and_falsified_tests_are_tampering",
            "grading/test_verdict.py::test_made_up_lines_do_no_harm",
            "grading/test_verdict.py::test_a_missing_test_is_not_passed",
        ),
    ),
    Report(
        26, "SWE-bench#538, SWE-bench#539",
        "A file at the place of a hidden test stays there, or resetting no files wipes the tree.",
        (
            "grading/test_assemble.py::test_a_hidden_test_takes_the_place_of_a_file_of_its_name",
            "grading/test_assemble.py::test_a_file_or_link_cannot_take_the_place_of_the_tests_folder",
            "grading/test_assemble.py::test_changed_added_and_deleted_files_are_taken_over",
        ),
        "Nothing is reset: each grading tree is built anew, file by file.",
    ),
    Report(
        27, "SWE-bench#598, and terminal-bench's parser",
        "A test that was skipped, or a run that found none, counts as passed.",
        (
            "grading/test_verdict.py::test_only_passed_is_passed",
            "grading/test_verdict.py::test_no_test_run_at_all_is_no_success",
        ),
    ),
    Report(
        28, "stella#3264, MagentaBenchmark#37",
        "A grader that crashes or runs out of time is stored as a 0.",
        (
            "grading/test_verdict.py::test_a_runner_that_never_began_is_our_fault",
            "grading/test_grade.py::test_a_box_that_dies_like_its_control_does_not_count",
            "suites/test_pool_rules.py::test_box_that_dies_once_is_a_fault_of_ours",
        ),
    ),
    Report(
        29, "sb-cli#20, SWE-bench#294, SWE-bench#418",
        "The reference solution fails its own tests, or only now and then passes them.",
        (
            "tasks/test_validate.py::test_gold_that_fails_a_test_is_refused",
            "tasks/test_validate.py::test_tests_that_flake_are_refused",
            "tasks/test_validate.py::test_a_defect_that_no_test_notices_is_refused",
            "e2e/test_corpus.py::test_oracle_resolves_every_task_and_noop_none",
        ),
    ),
    Report(
        30, "inspect_ai#2949, SWE-agent#1042",
        "A full disk or a kill leaves a log that cannot be read, and resuming fails.",
        (
            "store/test_torn.py::test_samples_torn_at_every_byte",
            "store/test_torn.py::test_the_log_torn_at_every_byte",
            "store/test_torn.py::test_a_transcript_torn_at_every_byte",
            "store/test_appender.py::test_a_full_disk_keeps_every_earlier_line_and_takes_back_the_half",
            "chaos/test_disturbed.py::test_disturbed_runs_end_as_calm_ones",
        ),
    ),
    Report(
        31, "OpenHands/benchmarks#479, OpenHands/benchmarks#103",
        "Resuming leaves out what crashed, runs again what was good, or fails for a larger limit.",
        (
            "execution/test_runner.py::test_faults_leave_no_score_and_are_run_again_by_the_next_session",
            "execution/test_runner.py::test_a_finished_run_that_is_resumed_does_nothing",
            "execution/test_resume.py::test_extend_adds_tasks_and_epochs_and_keeps_results",
            "chaos/test_refusals.py::test_only_the_same_plan_and_the_same_endpoint_are_resumed",
        ),
    ),
    Report(
        32, "agent-zero#1529, mini-swe-agent#761, mini-swe-agent#886, SWE-bench#215",
        "Hostile text, another locale or a character cut in two breaks the interface.",
        (
            "tui/test_hostile.py::test_any_text_in_any_event_renders",
            "tui/test_hostile.py::test_a_whole_screen_of_it",
            "state/test_sanitize.py::test_any_bytes_become_plain",
            "models/test_openai_chat.py::test_emoji_split_between_deltas_is_one_character",
            "fuzz/test_folders.py::test_a_damaged_file_is_named_and_never_a_crash",
            "peer_reports/test_locale.py::test_a_run_is_told_in_a_locale_without_its_characters",
        ),
    ),
)  # fmt: skip
