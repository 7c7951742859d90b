// A stand-in for ROS 2 nodes on Cyclone DDS, which knows nothing of this project.
// It is built twice: with GID=16 it announces type hashes, as Jazzy does, with
// GID=24 it does not, as Humble.
//
//   ros_peer DOMAIN
//
// Lines on the standard input tell it what to do:
//
//   pose TOPIC QOS            print "pose SEC.NANOSEC FRAME X Y Z" of every sample
//   state TOPIC QOS           print "state STATE REASON" of every sample
//   stats TOPIC QOS           print "stats SIM_TIME OVERRUNS LATENESS_P50 LATENESS_P99"
//   error TOPIC QOS           print "error SEC.NANOSEC NORM" of every sample
//   log TOPIC QOS             print "log LEVEL NAME FILE:LINE TEXT"
//   count TOPIC QOS           count the poses
//   counts                    print "count TOPIC POSES LAST LOST" of each topic that is counted: how many poses, the
//                             stamp (s) of the last, and how many samples DDS says were lost
//   graph                     print "node NAMESPACE NAME READERS WRITERS"
//   string TOPIC TEXT         publish a std_msgs/String once there is a reader
//   tensions TOPIC QOS V…     publish a std_msgs/Float64MultiArray at 100 Hz
//   effort TOPIC QOS V…       publish a sensor_msgs/JointState at 100 Hz; other
//                             values for the same topic take the old ones' place;
//                             NAME=V gives the name as well
//   hardware FROM TO D        publish every pose of topic FROM on topic TO, with
//                             its stamp, moved along x by up to D, once to and fro
//                             in a second
//   place TOPIC QOS FRAME X Y Z QX QY QZ QW
//                             publish a geometry_msgs/PoseStamped, once
//   hush                      stop publishing
//
// TOPIC is the DDS name. QOS is two letters: r(eliable) or b(est effort),
// v(olatile) or t(ransient local). It ends when its standard input ends.
#define _GNU_SOURCE
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dds/dds.h"
#include "ros.h"

enum { MAX = 16 };
static dds_entity_t participant;

static int check(int r, const char *what) {
  if (r < 0) {
    fprintf(stderr, "%s: %s\n", what, dds_strretcode(-r));
    exit(1);
  }
  return r;
}

static dds_qos_t *qos_of(const char *s, int depth) {
  dds_qos_t *q = dds_create_qos();
  dds_qset_reliability(q, s[0] == 'r' ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT, DDS_SECS(1));
  dds_qset_durability(q, s[1] == 't' ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
  dds_qset_history(q, DDS_HISTORY_KEEP_LAST, depth);
  if (GID == 16) dds_qset_userdata(q, "typehash=RIHS01_0;", 18);
  return q;
}

static dds_entity_t reader_of(const dds_topic_descriptor_t *d, const char *name, const char *qos, int depth) {
  dds_entity_t t = check(dds_create_topic(participant, d, name, NULL, NULL), name);
  return check(dds_create_reader(participant, t, qos_of(qos, depth), NULL), "reader");
}

static dds_entity_t writer_of(const dds_topic_descriptor_t *d, const char *name, const char *qos, int depth) {
  dds_entity_t t = check(dds_create_topic(participant, d, name, NULL, NULL), name);
  return check(dds_create_writer(participant, t, qos_of(qos, depth), NULL), "writer");
}

// Readers, with what prints their samples.
static void print_pose(const void *p) {
  const geometry_msgs_msg_dds__PoseStamped_ *m = p;
  const geometry_msgs_msg_dds__Point_ *x = &m->pose.position;
  printf("pose %d.%09u %s %.17g %.17g %.17g\n", m->header.stamp.sec, m->header.stamp.nanosec, m->header.frame_id, x->x, x->y, x->z);
}

static void print_state(const void *p) {
  const sinew_msgs_msg_dds__OperatingState_ *m = p;
  printf("state %s %s\n", m->state, m->reason);
}

static void print_stats(const void *p) {
  const sinew_msgs_msg_dds__SimStats_ *m = p;
  printf("stats %.17g %llu %.9f %.9f\n", m->sim_time, (unsigned long long)m->overruns, m->lateness_p50, m->lateness_p99);
}

static void print_error(const void *p) {
  const sinew_msgs_msg_dds__HilError_ *m = p;
  printf("error %d.%09u %.17g\n", m->header.stamp.sec, m->header.stamp.nanosec, m->position_error_norm);
}

static void print_log(const void *p) {
  const rcl_interfaces_msg_dds__Log_ *m = p;
  printf("log %u %s %s:%u %s\n", m->level, m->name, m->file, m->line, m->msg);
}

static void print_graph(const void *p) {
  const rmw_dds_common_msg_dds__ParticipantEntitiesInfo_ *m = p;
  for (uint32_t i = 0; i < m->node_entities_info_seq._length; i++) {
    const rmw_dds_common_msg_dds__NodeEntitiesInfo_ *n = &m->node_entities_info_seq._buffer[i];
    printf("node %s %s %u %u\n", n->node_namespace, n->node_name, n->reader_gid_seq._length, n->writer_gid_seq._length);
  }
}

enum { READERS = 256 };
static struct { dds_entity_t entity; void (*print)(const void *); char counted[128]; long poses; double last; } readers[READERS];
static int n_readers;

static void listen_to(dds_entity_t r, void (*print)(const void *)) {
  if (n_readers == READERS) {
    fprintf(stderr, "more than %d readers\n", READERS);
    exit(1);
  }
  readers[n_readers].entity = r;
  readers[n_readers++].print = print;
}

// Poses that are counted are not printed: print is NULL.
static void count(const char *topic, dds_entity_t r) {
  snprintf(readers[n_readers].counted, sizeof readers[0].counted, "%s", topic);
  listen_to(r, NULL);
}

static void count_one(int k, const geometry_msgs_msg_dds__PoseStamped_ *m) {
  readers[k].last = m->header.stamp.sec + 1e-9 * m->header.stamp.nanosec;
  readers[k].poses++;
}

static void print_counts(void) {
  for (int k = 0; k < n_readers; k++) {
    if (readers[k].print) continue;
    dds_sample_lost_status_t lost = {0};
    check(dds_get_sample_lost_status(readers[k].entity, &lost), "lost");
    printf("count %s %ld %.9f %u\n", readers[k].counted, readers[k].poses, readers[k].last, lost.total_count);
  }
  puts("counted");
}

static void take_all(void) {
  for (int k = 0; k < n_readers; k++) {
    void *samples[64] = {NULL};
    dds_sample_info_t info[64];
    int n;
    while ((n = dds_take(readers[k].entity, samples, info, 64, 64)) > 0) {
      for (int i = 0; i < n; i++)
        if (info[i].valid_data && readers[k].print) readers[k].print(samples[i]);
        else if (info[i].valid_data) count_one(k, samples[i]);
      dds_return_loan(readers[k].entity, samples, n);
    }
  }
  fflush(stdout);
}

// The robot that hardware stands for sways beside the one that it follows.
static dds_entity_t hardware;
static double sway;

static void follow(const void *sample) {
  geometry_msgs_msg_dds__PoseStamped_ m = *(const geometry_msgs_msg_dds__PoseStamped_ *)sample;
  m.pose.position.x += sway * sin(2 * M_PI * 1e-9 * m.header.stamp.nanosec);
  check(dds_write(hardware, &m), "write");
}

static void start_hardware(const char *from, const char *to, double distance) {
  sway = distance;
  hardware = writer_of(&geometry_msgs_msg_dds__PoseStamped__desc, to, "rv", 1000); // what has waited is written all at once
  listen_to(reader_of(&geometry_msgs_msg_dds__PoseStamped__desc, from, "rv", 1000), follow);
}

// What is published again and again.
static dds_entity_t publisher;
static char published[256]; // topic
static int is_joint_state;
static double values[MAX];
static uint32_t n_values;
static char names[MAX][64], *name_list[MAX];
static int named; // NAME=V was given

static void publish(void) {
  if (!publisher) return;
  if (is_joint_state) {
    sensor_msgs_msg_dds__JointState_ m = {.header.frame_id = ""};
    m.effort._buffer = values, m.effort._length = m.effort._maximum = n_values;
    m.name._buffer = name_list, m.name._length = m.name._maximum = named ? n_values : 0;
    check(dds_write(publisher, &m), "write");
  } else {
    std_msgs_msg_dds__Float64MultiArray_ m = {0};
    m.data._buffer = values, m.data._length = m.data._maximum = n_values;
    check(dds_write(publisher, &m), "write");
  }
}

static void start_publishing(int joint_state, const char *topic, const char *qos) {
  if (!publisher || joint_state != is_joint_state || strcmp(topic, published)) {
    if (publisher) dds_delete(publisher);
    is_joint_state = joint_state;
    publisher = writer_of(joint_state ? &sensor_msgs_msg_dds__JointState__desc : &std_msgs_msg_dds__Float64MultiArray__desc, topic, qos, 10);
    snprintf(published, sizeof published, "%s", topic);
  }
  n_values = 0, named = 0;
  for (char *v; n_values < MAX && (v = strtok(NULL, " ")); n_values++) {
    char *is = strchr(v, '=');
    if (is) {
      *is = 0, named = 1;
      snprintf(names[n_values], sizeof names[0], "%s", v);
      name_list[n_values] = names[n_values];
    }
    values[n_values] = atof(is ? is + 1 : v);
  }
}

// place publishes one pose; each topic has a writer from its first pose on.
static void place(const char *topic, const char *qos, char *frame) {
  static struct { char topic[128]; dds_entity_t entity; } writers[MAX];
  int k = 0;
  while (k < MAX - 1 && writers[k].entity && strcmp(writers[k].topic, topic)) k++;
  if (!writers[k].entity) {
    snprintf(writers[k].topic, sizeof writers[k].topic, "%s", topic);
    writers[k].entity = writer_of(&geometry_msgs_msg_dds__PoseStamped__desc, topic, qos, 10);
  }
  geometry_msgs_msg_dds__PoseStamped_ m = {.header.frame_id = frame};
  geometry_msgs_msg_dds__Point_ *p = &m.pose.position;
  geometry_msgs_msg_dds__Quaternion_ *q = &m.pose.orientation;
  double *to[] = {&p->x, &p->y, &p->z, &q->x, &q->y, &q->z, &q->w};
  for (int i = 0; i < 7; i++) {
    char *v = strtok(NULL, " ");
    *to[i] = v ? atof(v) : 0;
  }
  check(dds_write(writers[k].entity, &m), "write");
}

// send_string waits for a reader, and then until it has the text.
static void send_string(const char *topic, char *text) {
  dds_entity_t w = writer_of(&std_msgs_msg_dds__String__desc, topic, "rv", 10);
  dds_publication_matched_status_t s = {0};
  for (int i = 0; i < 500 && s.current_count == 0; i++) {
    dds_sleepfor(DDS_MSECS(10));
    check(dds_get_publication_matched_status(w, &s), "matched");
  }
  dds_sleepfor(DDS_MSECS(100)); // a volatile reader must know us too
  std_msgs_msg_dds__String_ m = {.data = text};
  check(dds_write(w, &m), "write");
  dds_wait_for_acks(w, DDS_SECS(5));
  dds_delete(w);
  printf("sent %s\n", text);
}

static void obey(char *line) {
  char *verb = strtok(line, " "), *topic = strtok(NULL, " ");
  if (!verb) return;
  if (!strcmp(verb, "pose")) listen_to(reader_of(&geometry_msgs_msg_dds__PoseStamped__desc, topic, strtok(NULL, " "), 1000), print_pose);
  if (!strcmp(verb, "count")) count(topic, reader_of(&geometry_msgs_msg_dds__PoseStamped__desc, topic, strtok(NULL, " "), 1000));
  if (!strcmp(verb, "counts")) print_counts();
  if (!strcmp(verb, "state")) listen_to(reader_of(&sinew_msgs_msg_dds__OperatingState__desc, topic, strtok(NULL, " "), 10), print_state);
  if (!strcmp(verb, "stats")) listen_to(reader_of(&sinew_msgs_msg_dds__SimStats__desc, topic, strtok(NULL, " "), 10), print_stats);
  if (!strcmp(verb, "error")) listen_to(reader_of(&sinew_msgs_msg_dds__HilError__desc, topic, strtok(NULL, " "), 1000), print_error);
  if (!strcmp(verb, "log")) listen_to(reader_of(&rcl_interfaces_msg_dds__Log__desc, topic, strtok(NULL, " "), 1000), print_log);
  if (!strcmp(verb, "graph")) listen_to(reader_of(&rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc, "ros_discovery_info", "rt", 100), print_graph);
  if (!strcmp(verb, "string")) send_string(topic, strtok(NULL, ""));
  if (!strcmp(verb, "tensions")) start_publishing(0, topic, strtok(NULL, " "));
  if (!strcmp(verb, "effort")) start_publishing(1, topic, strtok(NULL, " "));
  if (!strcmp(verb, "place")) {
    const char *qos = strtok(NULL, " ");
    place(topic, qos, strtok(NULL, " "));
  }
  if (!strcmp(verb, "hardware")) {
    const char *to = strtok(NULL, " "), *distance = strtok(NULL, " ");
    start_hardware(topic, to, atof(distance));
  }
  if (!strcmp(verb, "hush")) dds_delete(publisher), publisher = 0;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: ros_peer DOMAIN\n");
    return 2;
  }
  participant = check(dds_create_participant((dds_domainid_t)atoi(argv[1]), NULL, NULL), "participant");
  puts("ready");
  fflush(stdout);
  char line[512];
  size_t have = 0;
  for (;;) {
    struct pollfd p = {.fd = 0, .events = POLLIN};
    if (poll(&p, 1, 10) > 0) {
      ssize_t n = read(0, line + have, sizeof line - 1 - have);
      if (n <= 0) break;
      line[have += (size_t)n] = 0;
      for (char *end; (end = strchr(line, '\n'));) {
        *end = 0;
        char one[sizeof line];
        strcpy(one, line);
        memmove(line, end + 1, have -= (size_t)(end + 1 - line));
        line[have] = 0;
        obey(one);
      }
    }
    take_all();
    publish();
  }
  check(dds_delete(participant), "delete");
  return 0;
}
