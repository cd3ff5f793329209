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

static void sections(distr_func_t df, distr_t* dd, int r) {
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        run_sections(omp_get_num_threads(), df, dd);
    }
}

void imbalance_in_omp_sections(distr_func_t df, distr_t* dd, int r) {
    ats_enter(__func__);
    sections(df, dd, r);
    ats_leave(__func__);
}

void imbalance_in_omp_sections_balanced(distr_func_t df, distr_t* dd, int r) {
    ats_enter(__func__);
    val1_distr_t mean = {distr_mean(df, dd, omp_get_max_threads())};
    sections(df_same, &mean, r);
    ats_leave(__func__);
}
