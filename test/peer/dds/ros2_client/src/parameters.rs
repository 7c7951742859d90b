// A client of the parameters and the log of ROS 2 nodes on the crate ros2-client, which
// knows nothing of this project: all message types are the crate's.
//
//   ros2_parameters DOMAIN
//
// Lines on the standard input tell it what to do; NODE is an absolute name:
//
//   list NODE DEPTH PREFIX…    print "list NAME,… below PREFIX,…"
//   types NODE NAME…           print "types TYPE,…"
//   get NODE NAME…             print "get NAME TYPE VALUE" for each, then "got COUNT"
//   describe NODE NAME…        print "describe NAME TYPE read_only=… range=FROM..TO:
//                              TEXT; CONSTRAINTS" for each, then "described COUNT"
//   set NODE NAME=TYPE:VALUE…  print "set NAME true|false REASON" for each
//   atomically NODE NAME=…     print "atomically true|false REASON"
//   events TOPIC               print "event NODE new|changed|deleted NAME TYPE VALUE" of
//                              every parameter in every event
//   log TOPIC                  print "log LEVEL NAME FILE:LINE TEXT" of every line
//
// TYPE is the number of ParameterType.msg; values of lists are joined by commas. It ends
// when its standard input ends.
mod shared;

use std::io::BufRead;
use std::time::{Duration, Instant};

use ros2_client::parameters::raw::{Parameter, ParameterEvent, ParameterType, ParameterValue};
use ros2_client::rcl_interfaces::*;
use ros2_client::{
  qos::{Durability, History}, Context, ContextOptions, Log, Message, MessageTypeName, Name, Node, QosProfile,
  ServiceMapping, ServiceTypeName,
};
use rustdds::mio1::{Events, Interest, Poll, Token};
use shared::{block_on, new_node, service_qos};

const PATIENCE: Duration = Duration::from_secs(30);

fn call<Q: Message + Clone + 'static, R: Message + 'static>(node: &mut Node, owner: &str, service: &str, kind: &str, request: Q) -> R {
  let mut client = node
    .create_client::<Q, R>(
      ServiceMapping::Enhanced, &Name::new(owner, service).expect("name"),
      &ServiceTypeName::new("rcl_interfaces", kind), service_qos(), service_qos(),
    )
    .expect("client");
  let mut poll = Poll::new().expect("poll");
  poll.registry().register(&mut client, Token(1), Interest::READABLE).expect("register");
  block_on(client.wait_for_service(node));
  std::thread::sleep(Duration::from_millis(300)); // the server finds the client
  let mut events = Events::with_capacity(16);
  let start = Instant::now();
  let id = client.send_request(request).expect("request");
  while start.elapsed() < PATIENCE {
    loop {
      match client.receive_response() {
        Ok(Some((got, response))) if got == id => return response,
        Ok(Some(_)) => {}
        Ok(None) => break,
        Err(e) => println!("unreadable {e:?}"),
      }
    }
    poll.poll(&mut events, Some(Duration::from_millis(20))).expect("poll");
  }
  panic!("no answer of {service}");
}

fn texts<T: ToString>(all: &[T]) -> String {
  all.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

fn show(v: &ParameterValue) -> String {
  let text = match v.ptype {
    ParameterType::BOOL => v.boolean_value.to_string(),
    ParameterType::INTEGER => v.int_value.to_string(),
    ParameterType::DOUBLE => v.double_value.to_string(),
    ParameterType::STRING => v.string_value.clone(),
    ParameterType::INTEGER_ARRAY => texts(&v.int_array),
    ParameterType::DOUBLE_ARRAY => texts(&v.double_array),
    ParameterType::STRING_ARRAY => texts(&v.string_array),
    _ => String::new(),
  };
  format!("{} {text}", v.ptype)
}

/// parameter reads NAME=TYPE:VALUE.
fn parameter(word: &str) -> Parameter {
  let (name, rest) = word.split_once('=').expect("NAME=TYPE:VALUE");
  let (kind, text) = rest.split_once(':').expect("TYPE:VALUE");
  let mut value = ParameterValue {
    ptype: kind.parse().expect("type"), boolean_value: false, int_value: 0, double_value: 0.0, string_value: String::new(),
    byte_array: vec![], bool_array: vec![], int_array: vec![], double_array: vec![], string_array: vec![],
  };
  match value.ptype {
    ParameterType::BOOL => value.boolean_value = text.parse().expect("boolean"),
    ParameterType::INTEGER => value.int_value = text.parse().expect("integer"),
    ParameterType::DOUBLE => value.double_value = text.parse().expect("double"),
    ParameterType::STRING => value.string_value = text.to_string(),
    ParameterType::INTEGER_ARRAY => value.int_array = text.split(',').map(|x| x.parse().expect("integer")).collect(),
    ParameterType::DOUBLE_ARRAY => value.double_array = text.split(',').map(|x| x.parse().expect("double")).collect(),
    ParameterType::STRING_ARRAY => value.string_array = text.split(',').map(str::to_string).collect(),
    _ => {}
  }
  Parameter { name: name.to_string(), value }
}

fn obey(node: &mut Node, verb: &str, owner: &str, rest: &[&str]) {
  let names: Vec<String> = rest.iter().map(|s| s.to_string()).collect();
  match verb {
    "list" => {
      let request = ListParametersRequest { depth: rest[0].parse().expect("depth"), prefixes: names[1..].to_vec() };
      let r: ListParametersResponse = call(node, owner, "list_parameters", "ListParameters", request);
      println!("list {} below {}", r.result.names.join(","), r.result.prefixes.join(","));
    }
    "types" => {
      let r: GetParameterTypesResponse = call(node, owner, "get_parameter_types", "GetParameterTypes", GetParameterTypesRequest { names });
      println!("types {}", texts(&r.values));
    }
    "get" => {
      let r: GetParametersResponse = call(node, owner, "get_parameters", "GetParameters", GetParametersRequest { names });
      for (name, v) in rest.iter().zip(&r.values) {
        println!("get {name} {}", show(v));
      }
      println!("got {}", r.values.len());
    }
    "describe" => {
      let r: DescribeParametersResponse = call(node, owner, "describe_parameters", "DescribeParameters", DescribeParametersRequest { names });
      for d in &r.values {
        let mut range: Vec<String> = d.floating_point_range.iter().map(|r| format!("{}..{}", r.from_value, r.to_value)).collect();
        range.extend(d.integer_range.iter().map(|r| format!("{}..{}", r.from_value, r.to_value)));
        println!("describe {} {} read_only={} range={}: {}; {}", d.name, d.r#type, d.read_only, range.join(","), d.description, d.additional_constraints);
      }
      println!("described {}", r.values.len());
    }
    "set" => {
      let request = SetParametersRequest { parameter: rest.iter().map(|w| parameter(w)).collect() };
      let r: SetParametersResponse = call(node, owner, "set_parameters", "SetParameters", request);
      for (word, result) in rest.iter().zip(&r.results) {
        println!("set {} {} {}", parameter(word).name, result.successful, result.reason);
      }
    }
    "atomically" => {
      let request = SetParametersRequest { parameter: rest.iter().map(|w| parameter(w)).collect() };
      let r: SetParametersAtomicallyResponse = call(node, owner, "set_parameters_atomically", "SetParametersAtomically", request);
      println!("atomically {} {}", r.result.successful, r.result.reason);
    }
    _ => panic!("{verb}"),
  }
}

/// listen prints what comes on a topic of rcl_interfaces until the program ends.
fn listen<M: serde::de::DeserializeOwned + Send + 'static>(node: &mut Node, topic: &str, kind: &str, durability: Durability, print: fn(M)) {
  let qos = QosProfile::publisher_default().durability(durability).history(History::KeepLast { depth: 1000 });
  let topic = node
    .create_topic(&Name::new("/", topic.trim_start_matches('/')).expect("name"), MessageTypeName::new("rcl_interfaces", kind), &qos)
    .expect("topic");
  let subscription = node.create_subscription::<M>(&topic, Some(qos)).expect("subscription");
  std::thread::spawn(move || loop {
    match subscription.take() {
      Ok(Some((m, _))) => print(m),
      Ok(None) => std::thread::sleep(Duration::from_millis(5)),
      Err(e) => println!("unreadable {e:?}"),
    }
  });
}

fn print_event(e: ParameterEvent) {
  for (what, all) in [("new", &e.new_parameters), ("changed", &e.changed_parameters), ("deleted", &e.deleted_parameters)] {
    for p in all {
      println!("event {} {what} {} {}", e.node, p.name, show(&p.value));
    }
  }
}

fn print_log(l: Log) {
  println!("log {} {} {}:{} {}", l.level, l.name, l.file, l.line, l.msg);
}

fn main() {
  let domain = std::env::args().nth(1).and_then(|d| d.parse().ok()).expect("usage: ros2_parameters DOMAIN");
  let context = Context::with_options(ContextOptions::new().domain_id(domain)).expect("context");
  let mut node = new_node(&context, "rust_user");
  println!("ready");
  for line in std::io::stdin().lock().lines() {
    let line = line.expect("standard input");
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
      ["events", topic] => listen::<ParameterEvent>(&mut node, topic, "ParameterEvent", Durability::Volatile, print_event),
      ["log", topic] => listen::<Log>(&mut node, topic, "Log", Durability::TransientLocal, print_log),
      [verb, owner, ref rest @ ..] => obey(&mut node, verb, owner, rest),
      _ => panic!("{line}"),
    }
  }
}
