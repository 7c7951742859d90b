// A client of ROS 2 services and a reader of /rosout as on Fast DDS, which knows
// nothing of this project:
//
//   fast_services DOMAIN
//
// It takes the line "steps NAME COUNT" of service_peer.c on its standard input,
// and prints the same report, and "log TOPIC" (DDS name), whereupon it prints
// "log LEVEL NAME FILE:LINE TEXT" of every line. Requests say in their in-line QoS
// which reader the reply is for, replies which request they belong to, as in
// rmw_fastrtps.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fastcdr/Cdr.h>
#include <fastcdr/FastBuffer.h>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>
#include <fastdds/rtps/common/WriteParams.h>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

using namespace eprosima::fastdds::dds;
using eprosima::fastrtps::rtps::InstanceHandle_t;
using eprosima::fastrtps::rtps::SerializedPayload_t;
using eprosima::fastrtps::rtps::WriteParams;

// A message is its CDR without the header of four bytes.
typedef std::vector<unsigned char> Bytes;

struct BytesType : TopicDataType {
  explicit BytesType(const char *name, uint32_t size = 1024) {
    setName(name);
    m_typeSize = size;
    m_isGetKeyDefined = false;
  }
  bool serialize(void *d, SerializedPayload_t *p) override {
    auto *b = static_cast<Bytes *>(d);
    p->data[0] = 0, p->data[1] = 1, p->data[2] = 0, p->data[3] = 0;
    memcpy(p->data + 4, b->data(), b->size());
    p->encapsulation = CDR_LE;
    p->length = 4 + b->size();
    return true;
  }
  bool deserialize(SerializedPayload_t *p, void *d) override {
    if (p->length < 4) return false;
    static_cast<Bytes *>(d)->assign(p->data + 4, p->data + p->length);
    return true;
  }
  std::function<uint32_t()> getSerializedSizeProvider(void *d) override {
    return [d] { return uint32_t(4 + static_cast<Bytes *>(d)->size()); };
  }
  void *createData() override { return new Bytes; }
  void deleteData(void *d) override { delete static_cast<Bytes *>(d); }
  bool getKey(void *, InstanceHandle_t *, bool) override { return false; }
};

template <class Q>
Q service_qos(Q q) {
  q.reliability().kind = RELIABLE_RELIABILITY_QOS;
  q.durability().kind = VOLATILE_DURABILITY_QOS;
  q.history().kind = KEEP_LAST_HISTORY_QOS;
  q.history().depth = 10;
  q.endpoint().history_memory_policy = eprosima::fastrtps::rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  return q;
}

// Replies hands the replies to its own calls to the one that waits.
struct Replies : DataReaderListener {
  std::mutex m;
  std::condition_variable c;
  long foreign = 0;
  int64_t number = -1;
  Bytes bytes;

  void on_data_available(DataReader *r) override {
    Bytes b;
    SampleInfo i;
    while (r->take_next_sample(&b, &i) == ReturnCode_t::RETCODE_OK) {
      if (!i.valid_data) continue;
      std::lock_guard<std::mutex> lock(m);
      if (i.related_sample_identity.writer_guid() != r->guid()) {
        foreign++;
        continue;
      }
      number = i.related_sample_identity.sequence_number().to64long();
      bytes = b;
      c.notify_one();
    }
  }
};

static void steps(DomainParticipant *participant, const std::string &name, long count) {
  using clock = std::chrono::steady_clock;
  TypeSupport request(new BytesType("sinew_msgs::srv::dds_::Step_Request_")), reply(new BytesType("sinew_msgs::srv::dds_::Step_Response_"));
  request.register_type(participant), reply.register_type(participant);
  Replies replies;
  auto *reader = participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT)
                     ->create_datareader(participant->create_topic("rr" + name + "Reply", reply.get_type_name(), TOPIC_QOS_DEFAULT),
                                         service_qos(DATAREADER_QOS_DEFAULT), &replies);
  DataWriterQos wq = service_qos(DATAWRITER_QOS_DEFAULT);
  wq.publish_mode().kind = SYNCHRONOUS_PUBLISH_MODE;
  auto *writer = participant->create_publisher(PUBLISHER_QOS_DEFAULT)
                     ->create_datawriter(participant->create_topic("rq" + name + "Request", request.get_type_name(), TOPIC_QOS_DEFAULT), wq);
  PublicationMatchedStatus p;
  SubscriptionMatchedStatus s;
  for (int i = 0; i < 3000; i++) {
    writer->get_publication_matched_status(p);
    reader->get_subscription_matched_status(s);
    if (p.current_count > 0 && s.current_count > 0) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  long answered = 0, wrong = 0;
  std::vector<double> us;
  for (long k = 0; k < count; k++) {
    uint64_t value = 3 * k;
    Bytes b(8);
    memcpy(b.data(), &value, 8);
    WriteParams w;
    w.related_sample_identity().writer_guid() = reader->guid();
    auto start = clock::now();
    writer->write(&b, w);
    int64_t number = w.sample_identity().sequence_number().to64long();
    std::unique_lock<std::mutex> lock(replies.m);
    if (!replies.c.wait_for(lock, std::chrono::seconds(30), [&] { return replies.number == number; })) continue;
    us.push_back(std::chrono::duration<double, std::micro>(clock::now() - start).count());
    answered++;
    // success, a string, the number at the next multiple of eight
    uint32_t length = 0;
    double sim_time = -1;
    if (replies.bytes.size() >= 8) memcpy(&length, &replies.bytes[4], 4);
    size_t at = (8 + size_t(length) + 7) / 8 * 8;
    if (replies.bytes.size() >= at + 8) memcpy(&sim_time, &replies.bytes[at], 8);
    wrong += sim_time != double(value);
  }
  std::sort(us.begin(), us.end());
  size_t n = us.size();
  printf("called %ld %ld %ld %ld %.1f %.1f\n", count, answered, replies.foreign, wrong, n ? us[n / 2] : -1, n ? us[n * 99 / 100] : -1);
  fflush(stdout);
  reader->set_listener(nullptr);
}

// LogPrinter prints the lines of /rosout, read by Fast CDR.
struct LogPrinter : DataReaderListener {
  void on_data_available(DataReader *r) override {
    Bytes b;
    SampleInfo i;
    while (r->take_next_sample(&b, &i) == ReturnCode_t::RETCODE_OK) {
      if (!i.valid_data) continue;
      eprosima::fastcdr::FastBuffer buffer(reinterpret_cast<char *>(b.data()), b.size());
      eprosima::fastcdr::Cdr cdr(buffer, eprosima::fastcdr::Cdr::LITTLE_ENDIANNESS, eprosima::fastcdr::Cdr::CORBA_CDR);
      int32_t sec;
      uint32_t nanosec, line;
      uint8_t level;
      std::string name, text, file, function;
      cdr >> sec >> nanosec >> level >> name >> text >> file >> function >> line;
      printf("log %u %s %s:%u %s\n", level, name.c_str(), file.c_str(), line, text.c_str());
      fflush(stdout);
    }
  }
};

static void print_log(DomainParticipant *participant, const std::string &topic) {
  static LogPrinter printer;
  TypeSupport type(new BytesType("rcl_interfaces::msg::dds_::Log_", 16384));
  type.register_type(participant);
  DataReaderQos q = service_qos(DATAREADER_QOS_DEFAULT);
  q.durability().kind = TRANSIENT_LOCAL_DURABILITY_QOS;
  q.history().depth = 1000;
  participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT)
    ->create_datareader(participant->create_topic(topic, type.get_type_name(), TOPIC_QOS_DEFAULT), q, &printer);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: fast_services DOMAIN\n");
    return 2;
  }
  DomainParticipantQos q;
  q.transport().use_builtin_transports = false; // no shared memory
  auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
  udp->interfaceWhiteList.push_back("127.0.0.1");
  q.transport().user_transports.push_back(udp);
  auto *participant = DomainParticipantFactory::get_instance()->create_participant(atoi(argv[1]), q);
  puts("ready");
  fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string verb, name;
    long count = 0;
    words >> verb >> name >> count;
    if (verb == "steps") steps(participant, name, count);
    if (verb == "log") print_log(participant, name);
  }
  participant->delete_contained_entities();
  DomainParticipantFactory::get_instance()->delete_participant(participant);
  return 0;
}
