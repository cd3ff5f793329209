#include <ats.h>
#include <omp.h>

/* How many sections there are is in the source: one construct for each number. */
static void run_sections(int sections, distr_func_t df, distr_t* dd) {
    switch (sections) {
    case 0:
        break;
{%- for sections in sizes | default(range(1, 17)) %}
    case {{ sections }}:
        #pragma omp sections
        {
{%- for section in range(sections) %}
            #pragma omp section
            do_work(df({{ section }}, sections, 1.0, dd));
{%- endfor %}
        }
        break;
{%- endfor %}
    default:
        ats_fail("{{ otherwise | default("a C program has up to 16 sections") }}");
    }
}

static void share_out(double before, distr_func_t df, distr_t* dd, int sections, int r) {
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        do_work(before);
        run_sections(sections, df, dd);
    }
}

void imbalance_due_to_uneven_section_distribution(distr_func_t df, distr_t* dd, int sections, int r) {
    ats_enter(__func__);
    share_out(0.0, df, dd, sections, r);
    ats_leave(__func__);
}

void imbalance_due_to_uneven_section_distribution_balanced(distr_func_t df, distr_t* dd, int sections, int r) {
    ats_enter(__func__);
    val1_distr_t none = {0.0};
    const double work = distr_mean(df, dd, sections) * sections;
    share_out(work / omp_get_max_threads(), df_same, &none, sections, r);
    ats_leave(__func__);
}
