use super::marked;

#[track_caller]
fn assert_marked(source: &str, expected: &str) {
    let marked = marked(source);
    assert_eq!(marked, expected, "{marked}");
}

#[test]
fn a_region_and_what_is_inside_have_marks_at_both_ends() {
    assert_marked(
        "void f(int r) {
    #pragma omp parallel \\
        num_threads(2)
    for (int i = 0; i < r; ++i) {
        #pragma omp critical(name)
        do_work(1.0);
        #pragma omp barrier
    }
}
",
        "void f(int r) {
    const int ats_team_1 = ats_fork();
    #pragma omp parallel \\
        num_threads(2)
    {
        ats_begin_member(ats_team_1);
        for (int i = 0; i < r; ++i) {
            ats_enter_construct(\"!$omp critical\");
            #pragma omp critical(name)
            {
                ats_begin_critical(\"name\");
                do_work(1.0);
                ats_end_part();
            }
            ats_leave_construct();
            ats_enter_construct(\"!$omp barrier\");
            #pragma omp barrier
            ats_leave_construct();
        }
        ats_end_member();
    }
    ats_join();
}
",
    );
}

#[test]
fn worksharing_says_whether_it_has_a_barrier() {
    assert_marked(
        "{
    #pragma omp for schedule(dynamic, 2) nowait
    for (long i = 0; i < n; ++i) do_work(i);
    #pragma omp single
    { do_work(1.0); }
    #pragma omp sections
    {
        #pragma omp section
        do_work(1.0);
        #pragma omp section
        do_work(2.0);
    }
}
",
        "{
    ats_enter_construct(\"!$omp for\");
    #pragma omp for schedule(dynamic, 2) nowait
    for (long i = 0; i < n; ++i) {
        ats_begin_part(i);
        do_work(i);
        ats_end_part();
    }
    ats_leave_construct();
    ats_enter_worksharing(\"!$omp single\");
    #pragma omp single
    {
        ats_begin_part(1);
        do_work(1.0);
        ats_end_part();
    }
    ats_leave_construct();
    ats_enter_worksharing(\"!$omp sections\");
    #pragma omp sections
    {
        #pragma omp section
        {
            ats_begin_part(0);
            do_work(1.0);
            ats_end_part();
        }
        #pragma omp section
        {
            ats_begin_part(1);
            do_work(2.0);
            ats_end_part();
        }
    }
    ats_leave_construct();
}
",
    );
}

#[test]
fn a_statement_that_stands_for_a_block_becomes_one() {
    assert_marked(
        "{
    for (int i = 0; i < r; ++i)
        #pragma omp task
        do_work(w);
    if (r) omp_init_lock(&locks[0]); else MPI_Barrier(c);
    omp_set_lock(lock);
}
",
        "{
    for (int i = 0; i < r; ++i)
        {
            const int ats_task_1 = ats_create_task();
            #pragma omp task
            {
                ats_begin_task(ats_task_1);
                do_work(w);
                ats_end_task();
            }
            ats_leave_construct();
        }
    if (r) { omp_init_lock(&locks[0]); ats_init_lock(&locks[0]); } else { ats_enter_construct(\"MPI_Barrier\"); \
         MPI_Barrier(c); ats_leave_construct(); }
    ats_enter_construct(\"omp_set_lock\"); omp_set_lock(lock); ats_acquired(lock); ats_leave_construct();
}
",
    );
}

#[test]
fn an_iteration_that_is_cut_short_reaches_its_end() {
    assert_marked(
        "    #pragma omp parallel for
    for (i = 0; i < n; ++i) {
        if (i == 1) continue;
        do_work(1.0);
    }
",
        "    const int ats_team_1 = ats_fork();
    #pragma omp parallel for
    for (i = 0; i < n; ++i) {
        ats_begin_combined(ats_team_1, i);
        do {
            if (i == 1) continue;
            do_work(1.0);
        } while (0);
        ats_end_combined();
    }
    ats_join();
",
    );
}

/// Comments, literals and expressions are not statements, and other directives have no marks.
#[test]
fn everything_else_stays_as_it_is() {
    for source in [
        "/*\n#pragma omp barrier\n*/\n// omp_set_lock(lock);\n",
        "const char* text = \"; omp_set_lock(lock); #pragma omp barrier\"; char c = '{';\n",
        "int code = MPI_Barrier(c); return MPI_Barrier(c);\n",
        "int MPI_Barrier(MPI_Comm c);\nmy_omp_set_lock(lock);\n",
        "MPI_Comm_rank(c, &me);\n",
        "#pragma omp simd\nfor (;;) {}\n",
        "#pragma omp parallel sections\n{\n}\n",
        "#pragma omp ordered depend(source)\n",
        "#pragma once\n#pragma ompx parallel\n",
        "#pragma omp critical\n{ without_an_end();\n",
        "größe(\"§\"); /* ohne Ende",
    ] {
        assert_marked(source, source);
    }
}
