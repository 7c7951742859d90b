// A stand-in for services and clients of ROS 2 on Cyclone DDS, which knows nothing
// of this project.
//
//   service_peer DOMAIN
//
// Lines on the standard input tell it what to do:
//
//   serve NAME       answer the service NAME (sinew_msgs/srv/Step) with the steps as
//                    the simulated time; print "serving" when it is open
//   steps NAME COUNT call such a service COUNT times, one call after the other
//   call NODE COUNT  call every service of the absolute node NODE COUNT times
//   once NODE NAME   call the service NAME (std_srvs/srv/Trigger) of NODE
//   hang NODE        call pause of NODE, then step for 60 s of simulated time, and
//                    print "sent" without waiting for the reply
//
// steps, call and once print "called CALLS ANSWERED FOREIGN WRONG P50 P99": the replies
// that were for somebody else, those with a wrong content, and the times from
// request to reply in microseconds. It ends when its standard input ends.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dds/dds.h"
#include "services.h"

enum { PATIENCE_S = 30, MAX_CALLS = 200000 };
static dds_entity_t participant;

static int check(int r, const char *what) {
  if (r < 0) {
    fprintf(stderr, "%s: %s\n", what, dds_strretcode(-r));
    exit(1);
  }
  return r;
}

static dds_qos_t *service_qos(const char *id) {
  static int n;
  char text[64];
  dds_qos_t *q = dds_create_qos();
  dds_qset_reliability(q, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
  dds_qset_durability(q, DDS_DURABILITY_VOLATILE);
  dds_qset_history(q, DDS_HISTORY_KEEP_LAST, 10);
  snprintf(text, sizeof text, "%s=%d;", id, n++);
  dds_qset_userdata(q, text, strlen(text));
  return q;
}

static dds_entity_t topic_of(const dds_topic_descriptor_t *d, const char *prefix, const char *name, const char *suffix) {
  char full[256];
  snprintf(full, sizeof full, "%s%s%s", prefix, name, suffix);
  return check(dds_create_topic(participant, d, full, NULL, NULL), full);
}

// What all requests and replies begin with.
typedef struct { uint64_t guid; int64_t seq; } header;

typedef struct {
  dds_entity_t writer, reader, waitset;
  dds_instance_handle_t guid;
  int64_t seq;
  char kind; // t(rigger), b(ool), s(tep)
  int is_echo;
  uint64_t value;
} client;

static void open_client(client *c, const char *name, char kind, uint64_t value) {
  const dds_topic_descriptor_t *q = &std_srvs_srv_dds__Trigger_Request__desc, *r = &std_srvs_srv_dds__Trigger_Response__desc;
  if (kind == 'b') q = &std_srvs_srv_dds__SetBool_Request__desc, r = &std_srvs_srv_dds__SetBool_Response__desc;
  if (kind == 's') q = &sinew_msgs_srv_dds__Step_Request__desc, r = &sinew_msgs_srv_dds__Step_Response__desc;
  dds_qos_t *qos = service_qos("clientid");
  memset(c, 0, sizeof *c);
  c->kind = kind, c->value = value;
  c->writer = check(dds_create_writer(participant, topic_of(q, "rq", name, "Request"), qos, NULL), "writer");
  c->reader = check(dds_create_reader(participant, topic_of(r, "rr", name, "Reply"), qos, NULL), "reader");
  dds_delete_qos(qos);
  check(dds_get_instance_handle(c->writer, &c->guid), "handle");
  c->waitset = check(dds_create_waitset(participant), "waitset");
  check(dds_waitset_attach(c->waitset, check(dds_create_readcondition(c->reader, DDS_ANY_STATE), "condition"), 0), "attach");
}

static void await_server(client *c) {
  dds_publication_matched_status_t p = {0};
  dds_subscription_matched_status_t s = {0};
  for (int i = 0; i < 3000 && (p.current_count == 0 || s.current_count == 0); i++) {
    check(dds_get_publication_matched_status(c->writer, &p), "matched");
    check(dds_get_subscription_matched_status(c->reader, &s), "matched");
    dds_sleepfor(DDS_MSECS(10));
  }
}

static void request(client *c) {
  c->seq++;
  if (c->is_echo) c->value = (uint64_t)c->seq * 3;
  union {
    std_srvs_srv_dds__Trigger_Request_ t;
    std_srvs_srv_dds__SetBool_Request_ b;
    sinew_msgs_srv_dds__Step_Request_ s;
  } m = {0};
  m.t.guid = c->guid, m.t.seq = c->seq;
  if (c->kind == 'b') m.b.data = c->value != 0;
  if (c->kind == 's') m.s.steps = c->value;
  check(dds_write(c->writer, &m), "write");
}

static long calls, answered, foreign, wrong;
static double micros[MAX_CALLS];

static void call(client *c) {
  calls++;
  dds_time_t start = dds_time();
  request(c);
  while (dds_time() - start < DDS_SECS(PATIENCE_S)) {
    dds_attach_t which[1];
    check(dds_waitset_wait(c->waitset, which, 1, DDS_MSECS(100)), "wait");
    void *samples[1] = {NULL};
    dds_sample_info_t info[1];
    int got = 0;
    while (dds_take(c->reader, samples, info, 1, 1) > 0) {
      const header *h = samples[0];
      if (!info[0].valid_data) {
      } else if (h->guid != c->guid || h->seq != c->seq) {
        foreign++;
      } else {
        got = 1;
        const sinew_msgs_srv_dds__Step_Response_ *s = samples[0];
        if (c->is_echo) wrong += s->sim_time != (double)c->value;
        else wrong += s->message == NULL || s->message[0] == 0;
      }
      dds_return_loan(c->reader, samples, 1);
    }
    if (got) {
      micros[answered++ % MAX_CALLS] = (double)(dds_time() - start) / 1e3;
      return;
    }
  }
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void report(void) {
  long n = answered < MAX_CALLS ? answered : MAX_CALLS;
  qsort(micros, (size_t)n, sizeof micros[0], by_value);
  printf("called %ld %ld %ld %ld %.1f %.1f\n", calls, answered, foreign, wrong, n ? micros[n / 2] : -1, n ? micros[n * 99 / 100] : -1);
  fflush(stdout);
  calls = answered = foreign = wrong = 0;
}

static void call_all(const char *node, long count) {
  static const struct { const char *name; char kind; uint64_t value; } all[] = {
    {"enable", 't', 0}, {"pause", 'b', 1}, {"step", 's', 1}, {"save_state", 't', 0}, {"restore_state", 't', 0},
    {"take_command", 't', 0}, {"disable", 't', 0}, {"e_stop", 't', 0}, {"reset", 't', 0},
  };
  enum { N = sizeof all / sizeof all[0] };
  client c[N];
  for (int i = 0; i < N; i++) {
    char name[256];
    snprintf(name, sizeof name, "%s/%s", node, all[i].name);
    open_client(&c[i], name, all[i].kind, all[i].value);
  }
  for (int i = 0; i < N; i++) await_server(&c[i]);
  for (long k = 0; k < count; k++)
    for (int i = 0; i < N; i++) call(&c[i]);
  report();
}

static void call_steps(const char *name, long count) {
  client c;
  open_client(&c, name, 's', 0);
  c.is_echo = 1;
  await_server(&c);
  for (long k = 0; k < count; k++) call(&c);
  report();
}

static void open_one(client *c, const char *node, const char *service, char kind, uint64_t value) {
  char name[256];
  snprintf(name, sizeof name, "%s/%s", node, service);
  open_client(c, name, kind, value);
  await_server(c);
}

static void call_once(const char *node, const char *service) {
  client c;
  open_one(&c, node, service, 't', 0);
  call(&c);
  report();
}

static void hang(const char *node) {
  client pause, step;
  open_one(&pause, node, "pause", 'b', 1);
  open_one(&step, node, "step", 's', 60000);
  call(&pause);
  request(&step);
  check(dds_wait_for_acks(step.writer, DDS_SECS(5)), "acknowledged");
  puts("sent");
  fflush(stdout);
}

static dds_entity_t reply_writer;

// await_client waits until the writer of replies knows the reader of who asked. A client
// that sees both of our ends may ask before we see its reader, and a volatile writer sends
// nothing to a reader that it does not know.
static void await_client(dds_entity_t reader, dds_instance_handle_t request_writer) {
  dds_builtintopic_endpoint_t *asks = dds_get_matched_publication_data(reader, request_writer);
  int known = asks == NULL; // it has gone
  for (int i = 0; i < 500 && !known; i++) {
    dds_instance_handle_t readers[64];
    int n = check(dds_get_matched_subscriptions(reply_writer, readers, 64), "matched");
    for (int k = 0; k < n && k < 64 && !known; k++) {
      dds_builtintopic_endpoint_t *hears = dds_get_matched_subscription_data(reply_writer, readers[k]);
      if (!hears) continue;
      known = !memcmp(&hears->participant_key, &asks->participant_key, sizeof asks->participant_key);
      dds_builtintopic_free_endpoint(hears);
    }
    if (!known) dds_sleepfor(DDS_MSECS(10));
  }
  if (asks) dds_builtintopic_free_endpoint(asks);
}

static void answer(dds_entity_t reader, void *unused) {
  (void)unused;
  void *samples[1] = {NULL};
  dds_sample_info_t info[1];
  while (dds_take(reader, samples, info, 1, 1) > 0) {
    const sinew_msgs_srv_dds__Step_Request_ *q = samples[0];
    if (info[0].valid_data) {
      await_client(reader, info[0].publication_handle);
      sinew_msgs_srv_dds__Step_Response_ r = {.guid = q->guid, .seq = q->seq, .success = 1, .message = "done", .sim_time = (double)q->steps};
      check(dds_write(reply_writer, &r), "write");
    }
    dds_return_loan(reader, samples, 1);
  }
}

static void serve(const char *name) {
  dds_qos_t *qos = service_qos("serviceid");
  reply_writer = check(dds_create_writer(participant, topic_of(&sinew_msgs_srv_dds__Step_Response__desc, "rr", name, "Reply"), qos, NULL), "writer");
  dds_listener_t *l = dds_create_listener(NULL);
  dds_lset_data_available(l, answer);
  check(dds_create_reader(participant, topic_of(&sinew_msgs_srv_dds__Step_Request__desc, "rq", name, "Request"), qos, l), "reader");
  dds_delete_qos(qos);
  puts("serving");
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: service_peer DOMAIN\n");
    return 2;
  }
  participant = check(dds_create_participant((dds_domainid_t)atoi(argv[1]), NULL, NULL), "participant");
  puts("ready");
  fflush(stdout);
  char line[512];
  while (fgets(line, sizeof line, stdin)) {
    char *verb = strtok(line, " \n"), *name = strtok(NULL, " \n"), *count = strtok(NULL, " \n");
    if (!verb || !name) continue;
    if (!strcmp(verb, "serve")) serve(name);
    if (!strcmp(verb, "steps") && count) call_steps(name, atol(count));
    if (!strcmp(verb, "call") && count) call_all(name, atol(count));
    if (!strcmp(verb, "once") && count) call_once(name, count);
    if (!strcmp(verb, "hang")) hang(name);
  }
  check(dds_delete(participant), "delete");
  return 0;
}
