// A client of the parameters of ROS 2 nodes as on Cyclone DDS, which knows nothing of this
// project.
//
//   parameter_peer DOMAIN
//
// It takes the lines list, types, get, describe, set, atomically and events of
// ros2_client/src/parameters.rs on its standard input, and prints the same.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dds/dds.h"
#include "parameters.h"

enum { MAX = 512, PATIENCE_S = 30 };
enum { BOOL = 1, INTEGER, DOUBLE, STRING, BYTES, BOOLS, INTEGERS, DOUBLES, STRINGS };
typedef rcl_interfaces_msg_dds__ParameterValue_ value;
typedef rcl_interfaces_msg_dds__Parameter_ parameter;
typedef struct { uint64_t guid; int64_t seq; } header; // of all requests and replies
static dds_entity_t participant;

static int check(int r, const char *what) {
  if (r < 0) {
    fprintf(stderr, "%s: %s\n", what, dds_strretcode(-r));
    exit(1);
  }
  return r;
}

static dds_qos_t *qos_of(int depth) {
  dds_qos_t *q = dds_create_qos();
  dds_qset_reliability(q, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
  dds_qset_history(q, DDS_HISTORY_KEEP_LAST, depth);
  return q;
}

static dds_entity_t topic_of(const dds_topic_descriptor_t *d, const char *prefix, const char *node, const char *rest) {
  char name[512];
  snprintf(name, sizeof name, "%s%s%s", prefix, node, rest);
  return check(dds_create_topic(participant, d, name, NULL, NULL), name);
}

// call sends a request to a service of a node and hands its reply to print.
static void call(const char *node, const char *service, const dds_topic_descriptor_t *q, const dds_topic_descriptor_t *r,
                 void *request, void (*print)(const void *reply)) {
  char rest[128];
  dds_qos_t *qos = qos_of(10);
  snprintf(rest, sizeof rest, "/%sRequest", service);
  dds_entity_t writer = check(dds_create_writer(participant, topic_of(q, "rq", node, rest), qos, NULL), "writer");
  snprintf(rest, sizeof rest, "/%sReply", service);
  dds_entity_t reader = check(dds_create_reader(participant, topic_of(r, "rr", node, rest), qos, NULL), "reader");
  dds_delete_qos(qos);
  dds_publication_matched_status_t p = {0};
  dds_subscription_matched_status_t s = {0};
  for (int i = 0; i < 3000 && (p.current_count == 0 || s.current_count == 0); i++) {
    check(dds_get_publication_matched_status(writer, &p), "matched");
    check(dds_get_subscription_matched_status(reader, &s), "matched");
    dds_sleepfor(DDS_MSECS(10));
  }
  dds_sleepfor(DDS_MSECS(300)); // the server finds the client
  header *h = request;
  static int64_t calls;
  check(dds_get_instance_handle(writer, &h->guid), "handle");
  h->seq = ++calls;
  check(dds_write(writer, request), "write");
  dds_time_t start = dds_time();
  for (int done = 0; !done && dds_time() - start < DDS_SECS(PATIENCE_S); dds_sleepfor(DDS_MSECS(2))) {
    void *samples[1] = {NULL};
    dds_sample_info_t info[1];
    while (dds_take(reader, samples, info, 1, 1) > 0) {
      const header *got = samples[0];
      if (info[0].valid_data && got->guid == h->guid && got->seq == h->seq) print(samples[0]), done = 1;
      dds_return_loan(reader, samples, 1);
    }
  }
  fflush(stdout);
  dds_delete(writer);
  dds_delete(reader);
}

// The words of a line behind its verb and node.
static char *words[MAX];
static uint32_t n_words;

static void print_strings(char **all, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) printf("%s%s", i ? "," : "", all[i]);
}

static void print_value(const value *v) {
  printf("%d ", v->kind);
  if (v->kind == BOOL) printf("%s", v->bool_value ? "true" : "false");
  if (v->kind == INTEGER) printf("%lld", (long long)v->integer_value);
  if (v->kind == DOUBLE) printf("%.17g", v->double_value);
  if (v->kind == STRING) printf("%s", v->string_value);
  for (uint32_t i = 0; v->kind == INTEGERS && i < v->integer_array_value._length; i++)
    printf("%s%lld", i ? "," : "", (long long)v->integer_array_value._buffer[i]);
  for (uint32_t i = 0; v->kind == DOUBLES && i < v->double_array_value._length; i++)
    printf("%s%.17g", i ? "," : "", v->double_array_value._buffer[i]);
  if (v->kind == STRINGS) print_strings(v->string_array_value._buffer, v->string_array_value._length);
  printf("\n");
}

static void print_list(const void *reply) {
  const rcl_interfaces_msg_dds__ListParametersResult_ *r = &((const rcl_interfaces_srv_dds__ListParameters_Response_ *)reply)->result;
  printf("list ");
  print_strings(r->names._buffer, r->names._length);
  printf(" below ");
  print_strings(r->prefixes._buffer, r->prefixes._length);
  printf("\n");
}

static void print_types(const void *reply) {
  const rcl_interfaces_srv_dds__GetParameterTypes_Response_ *r = reply;
  printf("types ");
  for (uint32_t i = 0; i < r->types._length; i++) printf("%s%d", i ? "," : "", r->types._buffer[i]);
  printf("\n");
}

static void print_values(const void *reply) {
  const rcl_interfaces_srv_dds__GetParameters_Response_ *r = reply;
  for (uint32_t i = 0; i < r->values._length && i < n_words; i++) {
    printf("get %s ", words[i]);
    print_value(&r->values._buffer[i]);
  }
  printf("got %u\n", r->values._length);
}

static void print_descriptors(const void *reply) {
  const rcl_interfaces_srv_dds__DescribeParameters_Response_ *r = reply;
  for (uint32_t i = 0; i < r->descriptors._length; i++) {
    const rcl_interfaces_msg_dds__ParameterDescriptor_ *d = &r->descriptors._buffer[i];
    printf("describe %s %d read_only=%s range=", d->name, d->kind, d->read_only ? "true" : "false");
    if (d->floating_point_range._length)
      printf("%.17g..%.17g", d->floating_point_range._buffer[0].from_value, d->floating_point_range._buffer[0].to_value);
    if (d->integer_range._length)
      printf("%lld..%lld", (long long)d->integer_range._buffer[0].from_value, (long long)d->integer_range._buffer[0].to_value);
    printf(": %s; %s\n", d->description, d->additional_constraints);
  }
  printf("described %u\n", r->descriptors._length);
}

static void print_result(const char *what, const rcl_interfaces_msg_dds__SetParametersResult_ *r) {
  printf("%s %s %s\n", what, r->successful ? "true" : "false", r->reason);
}

static parameter parameters[MAX];

static void print_results(const void *reply) {
  const rcl_interfaces_srv_dds__SetParameters_Response_ *r = reply;
  for (uint32_t i = 0; i < r->results._length; i++) {
    char what[256];
    snprintf(what, sizeof what, "set %s", parameters[i].name);
    print_result(what, &r->results._buffer[i]);
  }
}

static void print_together(const void *reply) {
  print_result("atomically", &((const rcl_interfaces_srv_dds__SetParametersAtomically_Response_ *)reply)->result);
}

// read_parameters reads the words as NAME=TYPE:VALUE.
static void read_parameters(void) {
  static double doubles[MAX];
  static int64_t integers[MAX];
  static char *strings[MAX];
  uint32_t d = 0, n = 0, s = 0;
  for (uint32_t i = 0; i < n_words; i++) {
    char *kind = strchr(words[i], '='), *text = strchr(words[i], ':');
    *kind++ = 0, *text++ = 0;
    parameter *p = &parameters[i];
    memset(p, 0, sizeof *p);
    p->name = words[i], p->value.kind = (uint8_t)atoi(kind), p->value.string_value = "";
    value *v = &p->value;
    if (v->kind == BOOL) v->bool_value = !strcmp(text, "true");
    if (v->kind == INTEGER) v->integer_value = atoll(text);
    if (v->kind == DOUBLE) v->double_value = atof(text);
    if (v->kind == STRING) v->string_value = text;
    v->double_array_value._buffer = &doubles[d], v->integer_array_value._buffer = &integers[n], v->string_array_value._buffer = &strings[s];
    for (char *rest, *one = v->kind < INTEGERS ? NULL : strtok_r(text, ",", &rest); one; one = strtok_r(NULL, ",", &rest)) {
      if (v->kind == DOUBLES) doubles[d++] = atof(one), v->double_array_value._length++;
      if (v->kind == INTEGERS) integers[n++] = atoll(one), v->integer_array_value._length++;
      if (v->kind == STRINGS) strings[s++] = one, v->string_array_value._length++;
    }
  }
}

#define CALL(node, name, type, request, print)                                                    \
  call(node, name, &rcl_interfaces_srv_dds__##type##_Request__desc, &rcl_interfaces_srv_dds__##type##_Response__desc, request, print)

static void obey(const char *verb, const char *node) {
  if (!strcmp(verb, "list")) {
    rcl_interfaces_srv_dds__ListParameters_Request_ q = {.depth = strtoull(words[0], NULL, 10)};
    q.prefixes._buffer = words + 1, q.prefixes._length = n_words - 1;
    CALL(node, "list_parameters", ListParameters, &q, print_list);
  }
  if (!strcmp(verb, "types")) {
    rcl_interfaces_srv_dds__GetParameterTypes_Request_ q = {.names = {._buffer = words, ._length = n_words}};
    CALL(node, "get_parameter_types", GetParameterTypes, &q, print_types);
  }
  if (!strcmp(verb, "get")) {
    rcl_interfaces_srv_dds__GetParameters_Request_ q = {.names = {._buffer = words, ._length = n_words}};
    CALL(node, "get_parameters", GetParameters, &q, print_values);
  }
  if (!strcmp(verb, "describe")) {
    rcl_interfaces_srv_dds__DescribeParameters_Request_ q = {.names = {._buffer = words, ._length = n_words}};
    CALL(node, "describe_parameters", DescribeParameters, &q, print_descriptors);
  }
  if (!strcmp(verb, "set")) {
    read_parameters();
    rcl_interfaces_srv_dds__SetParameters_Request_ q = {.parameters = {._buffer = parameters, ._length = n_words}};
    CALL(node, "set_parameters", SetParameters, &q, print_results);
  }
  if (!strcmp(verb, "atomically")) {
    read_parameters();
    rcl_interfaces_srv_dds__SetParametersAtomically_Request_ q = {.parameters = {._buffer = parameters, ._length = n_words}};
    CALL(node, "set_parameters_atomically", SetParametersAtomically, &q, print_together);
  }
}

static void print_changes(const char *node, const char *what, const parameter *all, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    printf("event %s %s %s ", node, what, all[i].name);
    print_value(&all[i].value);
  }
}

static void print_events(dds_entity_t reader, void *unused) {
  (void)unused;
  void *samples[1] = {NULL};
  dds_sample_info_t info[1];
  while (dds_take(reader, samples, info, 1, 1) > 0) {
    const rcl_interfaces_msg_dds__ParameterEvent_ *e = samples[0];
    if (info[0].valid_data) {
      flockfile(stdout);
      print_changes(e->node, "new", e->new_parameters._buffer, e->new_parameters._length);
      print_changes(e->node, "changed", e->changed_parameters._buffer, e->changed_parameters._length);
      print_changes(e->node, "deleted", e->deleted_parameters._buffer, e->deleted_parameters._length);
      fflush(stdout);
      funlockfile(stdout);
    }
    dds_return_loan(reader, samples, 1);
  }
}

static void listen_to_events(const char *topic) {
  dds_listener_t *l = dds_create_listener(NULL);
  dds_lset_data_available(l, print_events);
  dds_qos_t *qos = qos_of(1000);
  check(dds_create_reader(participant, topic_of(&rcl_interfaces_msg_dds__ParameterEvent__desc, "rt", topic, ""), qos, l), "reader");
  dds_delete_qos(qos);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: parameter_peer DOMAIN\n");
    return 2;
  }
  participant = check(dds_create_participant((dds_domainid_t)atoi(argv[1]), NULL, NULL), "participant");
  puts("ready");
  fflush(stdout);
  static char line[1 << 16];
  while (fgets(line, sizeof line, stdin)) {
    char *verb = strtok(line, " \n"), *node = strtok(NULL, " \n");
    if (!verb || !node) continue;
    n_words = 0;
    for (char *w; n_words < MAX && (w = strtok(NULL, " \n"));) words[n_words++] = w;
    if (!strcmp(verb, "events")) listen_to_events(node);
    else obey(verb, node);
  }
  check(dds_delete(participant), "delete");
  return 0;
}
