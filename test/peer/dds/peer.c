// A DDS program on Cyclone DDS that knows nothing of this project: the tests
// run it as the other side.
//
//   peer DOMAIN sub|age TOPIC QOS
//   peer DOMAIN pub TOPIC QOS COUNT PERIOD_US LENGTH
//
// QOS is two letters: r(eliable) or b(est effort), v(olatile) or t(ransient
// local), then the depth of the history: "rv100". Both print "ready", then
// "matched" as soon as they know somebody of the other side. sub prints "NUMBER
// LENGTH SUM" of every sample. pub writes COUNT samples, at once when transient
// local, else when matched and told so by a line on its standard input; then it
// prints "written". The first element of its arrays is the monotonic clock in
// nanoseconds when COUNT is negative, and -COUNT samples are written. sub takes a
// second QOS after a plus sign, "rt1+rv1": that of a reader beside the first one,
// which is made before it ("rt1+rv1<") or after it, and of which nothing is told. age prints
// nothing of single samples but at the end "aged RECEIVED DISORDERED" and
// percentiles of their age in microseconds: p50 p90 p99 max. All end when their
// standard input ends.
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dds/dds.h"
#include "numbers.h"

static void check(dds_return_t r, const char *what) {
  if (r < 0) {
    fprintf(stderr, "%s: %s\n", what, dds_strretcode(-r));
    exit(1);
  }
}

static dds_qos_t *qos_of(const char *s) {
  dds_qos_t *q = dds_create_qos();
  dds_qset_reliability(q, s[0] == 'r' ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT, DDS_SECS(10));
  dds_qset_durability(q, s[1] == 't' ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
  dds_qset_history(q, DDS_HISTORY_KEEP_LAST, atoi(s + 2));
  // late readers get as much: Cyclone keeps one sample for them by default
  dds_qset_durability_service(q, 0, DDS_HISTORY_KEEP_LAST, atoi(s + 2), -1, -1, -1);
  return q;
}

// told is whether a line has come on the standard input.
static int told;

// ended reports whether the standard input has ended.
static int ended(int wait_ms) {
  struct pollfd p = {.fd = 0, .events = POLLIN};
  char b[64];
  if (poll(&p, 1, wait_ms) <= 0) return 0;
  if (read(0, b, sizeof b) <= 0) return 1;
  told = 1;
  return 0;
}

static void say(const char *word) {
  puts(word);
  fflush(stdout);
}

static void print(const peer_dds__Numbers_ *n) {
  double sum = 0;
  for (uint32_t i = 0; i < n->data._length; i++) sum += n->data._buffer[i];
  printf("%llu %u %.17g\n", (unsigned long long)n->number, n->data._length, sum);
}

static double monotonic_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

// What age has seen.
static struct {
  double *us;
  size_t n, room, disordered;
  uint64_t next;
} aged;

static void take_age(const peer_dds__Numbers_ *n) {
  if (aged.n == aged.room) {
    aged.room = aged.room ? 2 * aged.room : 1 << 16;
    aged.us = realloc(aged.us, aged.room * sizeof *aged.us);
  }
  aged.us[aged.n++] = (monotonic_ns() - n->data._buffer[0]) / 1e3;
  aged.disordered += n->number != aged.next;
  aged.next = n->number + 1;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print_ages(void) {
  if (aged.n == 0) return say("aged 0 0");
  qsort(aged.us, aged.n, sizeof *aged.us, ascending);
  printf("aged %zu %zu %.1f %.1f %.1f %.1f\n", aged.n, aged.disordered, aged.us[aged.n / 2], aged.us[aged.n * 9 / 10],
         aged.us[aged.n * 99 / 100], aged.us[aged.n - 1]);
  fflush(stdout);
}

// beside makes the second reader, if one is asked for and its turn has come.
static void beside(dds_entity_t participant, dds_entity_t topic, const char *qos, int first) {
  const char *second = strchr(qos, '+');
  if (second == NULL || first != (strchr(second, '<') != NULL)) return;
  dds_qos_t *q = qos_of(second + 1);
  check(dds_create_reader(participant, topic, q, NULL), "second reader");
  dds_delete_qos(q);
}

static void subscribe(dds_entity_t participant, dds_entity_t topic, const char *qos, void (*take)(const peer_dds__Numbers_ *)) {
  beside(participant, topic, qos, 1);
  dds_qos_t *q = qos_of(qos);
  dds_entity_t reader = dds_create_reader(participant, topic, q, NULL);
  check(reader, "reader");
  dds_delete_qos(q);
  beside(participant, topic, qos, 0);
  dds_entity_t set = dds_create_waitset(participant);
  check(dds_set_status_mask(reader, DDS_DATA_AVAILABLE_STATUS | DDS_SUBSCRIPTION_MATCHED_STATUS), "mask");
  check(dds_waitset_attach(set, reader, reader), "attach");
  say("ready");
  for (int matched = 0; !ended(0);) {
    check(dds_waitset_wait(set, NULL, 0, DDS_MSECS(50)), "wait");
    dds_subscription_matched_status_t s;
    check(dds_get_subscription_matched_status(reader, &s), "matched");
    if (!matched && s.current_count > 0) matched = 1, say("matched");
    void *samples[64] = {NULL};
    dds_sample_info_t info[64];
    int n;
    while ((n = dds_take(reader, samples, info, 64, 64)) > 0) {
      for (int i = 0; i < n; i++)
        if (info[i].valid_data) take(samples[i]);
      dds_return_loan(reader, samples, n);
    }
    fflush(stdout);
  }
}

static void publish(dds_entity_t participant, dds_entity_t topic, const dds_qos_t *q, int wait, long count, long period_us, uint32_t length) {
  dds_entity_t writer = dds_create_writer(participant, topic, q, NULL);
  check(writer, "writer");
  say("ready");
  for (int matched = 0; wait && !(matched && told);) {
    if (ended(2)) return;
    dds_publication_matched_status_t s;
    check(dds_get_publication_matched_status(writer, &s), "matched");
    if (!matched && s.current_count > 0) matched = 1, say("matched");
  }
  int stamped = count < 0;
  count = labs(count);
  peer_dds__Numbers_ n = {0};
  n.data._buffer = calloc(length ? length : 1, sizeof(double));
  n.data._length = n.data._maximum = length;
  for (uint32_t i = 0; i < length; i++) n.data._buffer[i] = i;
  dds_time_t next = dds_time();
  for (long k = 0; k < count; k++) {
    n.number = (unsigned long long)k;
    if (stamped) n.data._buffer[0] = monotonic_ns();
    check(dds_write(writer, &n), "write");
    next += DDS_USECS(period_us);
    dds_duration_t left = next - dds_time();
    if (left > 0) dds_sleepfor(left);
  }
  say("written");
  while (!ended(100)) {
  }
}

int main(int argc, char **argv) {
  if (argc < 5) {
    fprintf(stderr, "usage: peer DOMAIN sub|age|pub TOPIC QOS [COUNT PERIOD_US LENGTH]\n");
    return 2;
  }
  dds_entity_t participant = dds_create_participant((dds_domainid_t)atoi(argv[1]), NULL, NULL);
  check(participant, "participant");
  dds_entity_t topic = dds_create_topic(participant, &peer_dds__Numbers__desc, argv[3], NULL, NULL);
  check(topic, "topic");
  if (strcmp(argv[2], "sub") == 0)
    subscribe(participant, topic, argv[4], print);
  else if (strcmp(argv[2], "age") == 0)
    subscribe(participant, topic, argv[4], take_age), print_ages();
  else if (argc == 8)
    publish(participant, topic, qos_of(argv[4]), argv[4][1] != 't', atol(argv[5]), atol(argv[6]), (uint32_t)atol(argv[7]));
  check(dds_delete(participant), "delete");
  return 0;
}
