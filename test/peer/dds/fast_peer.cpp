// The same program as peer.c on Fast DDS, with the same arguments and output.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/DataWriterListener.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

using namespace eprosima::fastdds::dds;
using eprosima::fastrtps::rtps::InstanceHandle_t;
using eprosima::fastrtps::rtps::SerializedPayload_t;

struct Numbers {
  uint64_t number = 0;
  std::vector<double> data;
};

// NumbersType writes and reads little-endian CDR by hand.
struct NumbersType : TopicDataType {
  NumbersType() {
    setName("peer::dds_::Numbers_");
    m_typeSize = 4 + 16 + 8 * 200000;
    m_isGetKeyDefined = false;
  }
  bool serialize(void *d, SerializedPayload_t *p) override {
    auto *n = static_cast<Numbers *>(d);
    uint32_t length = n->data.size(), zero = 0;
    p->data[0] = 0, p->data[1] = 1, p->data[2] = 0, p->data[3] = 0;
    memcpy(p->data + 4, &n->number, 8);
    memcpy(p->data + 12, &length, 4);
    memcpy(p->data + 16, &zero, 4);
    memcpy(p->data + 20, n->data.data(), 8 * length);
    p->encapsulation = CDR_LE;
    p->length = 20 + 8 * length;
    return true;
  }
  bool deserialize(SerializedPayload_t *p, void *d) override {
    auto *n = static_cast<Numbers *>(d);
    uint32_t length;
    if (p->length < 20) return false;
    memcpy(&n->number, p->data + 4, 8);
    memcpy(&length, p->data + 12, 4);
    if (p->length < 20 + 8ull * length) return false;
    n->data.resize(length);
    memcpy(n->data.data(), p->data + 20, 8 * length);
    return true;
  }
  std::function<uint32_t()> getSerializedSizeProvider(void *d) override {
    return [d] { return uint32_t(20 + 8 * static_cast<Numbers *>(d)->data.size()); };
  }
  void *createData() override { return new Numbers; }
  void deleteData(void *d) override { delete static_cast<Numbers *>(d); }
  bool getKey(void *, InstanceHandle_t *, bool) override { return false; }
};

template <class Q>
void apply(Q &q, const char *s) {
  q.reliability().kind = s[0] == 'r' ? RELIABLE_RELIABILITY_QOS : BEST_EFFORT_RELIABILITY_QOS;
  q.durability().kind = s[1] == 't' ? TRANSIENT_LOCAL_DURABILITY_QOS : VOLATILE_DURABILITY_QOS;
  q.history().kind = KEEP_LAST_HISTORY_QOS;
  q.history().depth = atoi(s + 2);
  q.endpoint().history_memory_policy = eprosima::fastrtps::rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
}

static void say(const char *word) {
  puts(word);
  fflush(stdout);
}

static double monotonic_ns() {
  return double(std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count());
}

struct Printer : DataReaderListener {
  bool aging = false;
  std::vector<double> us; // ages
  size_t disordered = 0;
  uint64_t next = 0;

  void print_ages() {
    if (us.empty()) return say("aged 0 0");
    std::sort(us.begin(), us.end());
    size_t n = us.size();
    printf("aged %zu %zu %.1f %.1f %.1f %.1f\n", n, disordered, us[n / 2], us[n * 9 / 10], us[n * 99 / 100], us[n - 1]);
    fflush(stdout);
  }
  void on_subscription_matched(DataReader *, const SubscriptionMatchedStatus &s) override {
    if (s.current_count == 1 && s.current_count_change > 0) say("matched");
  }
  void on_data_available(DataReader *r) override {
    Numbers n;
    SampleInfo i;
    while (r->take_next_sample(&n, &i) == ReturnCode_t::RETCODE_OK) {
      if (!i.valid_data) continue;
      if (aging) {
        us.push_back((monotonic_ns() - n.data.at(0)) / 1e3);
        disordered += n.number != next;
        next = n.number + 1;
        continue;
      }
      double sum = 0;
      for (double v : n.data) sum += v;
      printf("%llu %zu %.17g\n", (unsigned long long)n.number, n.data.size(), sum);
      fflush(stdout);
    }
  }
};

struct Matches : DataWriterListener {
  std::atomic<int> count{0};
  void on_publication_matched(DataWriter *, const PublicationMatchedStatus &s) override {
    count = s.current_count;
    if (s.current_count == 1 && s.current_count_change > 0) say("matched");
  }
};

static bool told; // a line has come on the standard input

static bool ended(int wait_ms) {
  pollfd p{0, POLLIN, 0};
  char b[64];
  if (poll(&p, 1, wait_ms) <= 0) return false;
  if (read(0, b, sizeof b) <= 0) return true;
  told = true;
  return false;
}

int main(int argc, char **argv) {
  if (argc < 5) {
    fprintf(stderr, "usage: fast_peer DOMAIN sub|age|pub TOPIC QOS [COUNT PERIOD_US LENGTH]\n");
    return 2;
  }
  DomainParticipantQos pq;
  pq.transport().use_builtin_transports = false; // no shared memory
  auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
  const char *address = getenv("PEER_ADDRESS");
  udp->interfaceWhiteList.push_back(address ? address : "127.0.0.1");
  pq.transport().user_transports.push_back(udp);
  auto *participant = DomainParticipantFactory::get_instance()->create_participant(atoi(argv[1]), pq);
  TypeSupport type(new NumbersType);
  type.register_type(participant);
  Topic *topic = participant->create_topic(argv[3], type.get_type_name(), TOPIC_QOS_DEFAULT);
  Printer printer;
  Matches matches;
  printer.aging = !strcmp(argv[2], "age");
  if (!strcmp(argv[2], "sub") || printer.aging) {
    DataReaderQos q = DATAREADER_QOS_DEFAULT;
    apply(q, argv[4]);
    participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT)->create_datareader(topic, q, &printer);
    say("ready");
  } else if (argc == 8) {
    DataWriterQos q = DATAWRITER_QOS_DEFAULT;
    apply(q, argv[4]);
    q.publish_mode().kind = SYNCHRONOUS_PUBLISH_MODE;
    if (atol(argv[7]) > 8000) q.publish_mode().kind = ASYNCHRONOUS_PUBLISH_MODE; // fragments need it
    auto *w = participant->create_publisher(PUBLISHER_QOS_DEFAULT)->create_datawriter(topic, q, &matches);
    say("ready");
    while (argv[4][1] != 't' && !(matches.count > 0 && told))
      if (ended(2)) return 0;
    Numbers n;
    for (long i = 0; i < atol(argv[7]); i++) n.data.push_back(i);
    long count = labs(atol(argv[5]));
    bool stamped = atol(argv[5]) < 0;
    auto next = std::chrono::steady_clock::now();
    for (long k = 0; k < count; k++) {
      n.number = k;
      if (stamped) n.data.at(0) = monotonic_ns();
      w->write(&n);
      next += std::chrono::microseconds(atol(argv[6]));
      std::this_thread::sleep_until(next);
    }
    say("written");
  }
  while (!ended(100)) {
  }
  if (printer.aging) printer.print_ages();
  participant->delete_contained_entities();
  DomainParticipantFactory::get_instance()->delete_participant(participant);
  return 0;
}
