// A client of ROS 2 services on the crate ros2-client, which knows nothing of this
// project.
//
//   ros2_client_peer DOMAIN
//
// Lines on the standard input tell it what to do:
//
//   call MAPPING NODE COUNT   call every service of the absolute node NODE COUNT
//                             times, one after the other, through the mapping
//                             enhanced, cyclone or basic; print
//                             "called MAPPING CALLS ANSWERED FOREIGN P50 P99" with
//                             the replies that were for somebody else, and the
//                             times from request to reply in microseconds
//   hang NODE                 call the service step and end without waiting
//   serve MAPPING NAME        answer the service NAME (sinew_msgs/srv/Step) with the
//                             steps as the simulated time, or, in the mapping basic,
//                             with the number of the call; print "serving" first
//
// It ends when its standard input ends.
mod shared;

use std::io::BufRead;
use std::time::{Duration, Instant};

use ros2_client::{Client, Context, ContextOptions, Message, Name, Node, ServiceMapping, ServiceTypeName};
use rustdds::mio1::{Events, Interest, Poll, Token};
use serde::{Deserialize, Serialize};
use shared::{new_node, service_qos};

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Empty {
  structure_needs_at_least_one_member: u8,
}
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Flag {
  data: bool,
}
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Steps {
  steps: u64,
}
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Outcome {
  success: bool,
  message: String,
}
#[derive(Debug, Clone, Serialize, Deserialize)]
struct StepOutcome {
  success: bool,
  message: String,
  sim_time: f64,
}
// ros2-client 0.12.1 reads the response of the basic mapping from the place where
// its header is: this is that header.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct BasicHeader {
  guid: [u8; 16],
  high: i32,
  low: u32,
  exception: u32,
}
impl Message for Empty {}
impl Message for Flag {}
impl Message for Steps {}
impl Message for Outcome {}
impl Message for StepOutcome {}
impl Message for BasicHeader {}

/// A response that can be told from nonsense.
trait Sound: Message + std::fmt::Debug + 'static {
  fn sound(&self) -> bool;
}
impl Sound for Outcome {
  fn sound(&self) -> bool {
    !self.message.is_empty()
  }
}
impl Sound for StepOutcome {
  fn sound(&self) -> bool {
    !self.message.is_empty() && self.sim_time >= 0.0
  }
}
impl Sound for BasicHeader {
  fn sound(&self) -> bool {
    self.exception == 0
  }
}

const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Default)]
struct Tally {
  calls: usize,
  answered: usize,
  foreign: usize,
  micros: Vec<f64>,
}

/// A service with its client, whatever its types.
trait Service {
  fn call(&mut self, tally: &mut Tally);
  fn send(&mut self);
}

struct Caller<Q: Message, R: Message> {
  client: Client<Q, R>,
  request: Q,
  poll: Poll,
}

impl<Q: Message + Clone + 'static, R: Sound> Service for Caller<Q, R> {
  fn send(&mut self) {
    self.client.send_request(self.request.clone()).expect("request");
  }
  fn call(&mut self, tally: &mut Tally) {
    tally.calls += 1;
    let start = Instant::now();
    let id = self.client.send_request(self.request.clone()).expect("request");
    let mut events = Events::with_capacity(16);
    while start.elapsed() < PATIENCE {
      loop {
        match self.client.receive_response() {
          Ok(Some((got, response))) if got == id => {
            if !response.sound() {
              println!("unsound {response:?}");
            }
            tally.answered += 1;
            tally.micros.push(start.elapsed().as_secs_f64() * 1e6);
            return;
          }
          Ok(Some(_)) => tally.foreign += 1,
          Ok(None) => break,
          Err(e) => println!("unreadable {e:?}"),
        }
      }
      self.poll.poll(&mut events, Some(Duration::from_millis(20))).expect("poll");
    }
  }
}

fn open<Q: Message + Clone + 'static, R: Sound>(
  node: &mut Node, mapping: ServiceMapping, owner: &str, service: &str, kind: (&str, &str), request: Q,
) -> Box<dyn Service> {
  let qos = service_qos();
  let mut client = node
    .create_client::<Q, R>(
      mapping, &Name::new(owner, service).expect("name"), &ServiceTypeName::new(kind.0, kind.1), qos.clone(), qos,
    )
    .expect("client");
  let poll = Poll::new().expect("poll");
  poll.registry().register(&mut client, Token(1), Interest::READABLE).expect("register");
  Box::new(Caller { client, request, poll })
}

fn open_all<T: Sound, S: Sound>(node: &mut Node, m: ServiceMapping, owner: &str) -> Vec<Box<dyn Service>> {
  let trigger = ("std_srvs", "Trigger");
  let set_bool = ("std_srvs", "SetBool");
  let empty = Empty { structure_needs_at_least_one_member: 0 };
  let mut all: Vec<Box<dyn Service>> = Vec::new();
  all.push(open::<_, T>(node, m, owner, "enable", trigger, empty.clone()));
  all.push(open::<_, T>(node, m, owner, "pause", set_bool, Flag { data: true }));
  all.push(open::<_, S>(node, m, owner, "step", ("sinew_msgs", "Step"), Steps { steps: 1 }));
  for name in ["save_state", "restore_state", "take_command", "disable", "e_stop", "reset"] {
    all.push(open::<_, T>(node, m, owner, name, trigger, empty.clone()));
  }
  all
}

fn mapping_of(name: &str) -> ServiceMapping {
  match name {
    "enhanced" => ServiceMapping::Enhanced,
    "cyclone" => ServiceMapping::Cyclone,
    "basic" => ServiceMapping::Basic,
    _ => panic!("mapping {name}"),
  }
}

fn services(node: &mut Node, mapping: &str, owner: &str) -> Vec<Box<dyn Service>> {
  match mapping_of(mapping) {
    ServiceMapping::Basic => open_all::<BasicHeader, BasicHeader>(node, ServiceMapping::Basic, owner),
    m => open_all::<Outcome, StepOutcome>(node, m, owner),
  }
}

/// serve answers requests, read as Q, with the simulated time that is made of the
/// number of the call and the request, until the program ends.
fn serve<Q: Message + Clone + Send + 'static>(mut node: Node, mapping: ServiceMapping, name: &str, time: fn(i64, Q) -> f64) {
  let (namespace, base) = name.rsplit_once('/').expect("absolute name");
  let kind = ServiceTypeName::new("sinew_msgs", "Step");
  let mut server = node
    .create_server::<Q, StepOutcome>(
      mapping, &Name::new(if namespace.is_empty() { "/" } else { namespace }, base).expect("name"), &kind, service_qos(), service_qos(),
    )
    .expect("server");
  let mut poll = Poll::new().expect("poll");
  poll.registry().register(&mut server, Token(1), Interest::READABLE).expect("register");
  std::thread::spawn(move || {
    let _node = node;
    let mut events = Events::with_capacity(16);
    loop {
      match server.receive_request() {
        Ok(Some((id, request))) => {
          let sim_time = time(id.sequence_number, request);
          let reply = StepOutcome { success: true, message: "done".to_string(), sim_time };
          server.send_response(id, reply).expect("response");
        }
        Ok(None) => poll.poll(&mut events, Some(Duration::from_millis(20))).expect("poll"),
        Err(e) => println!("unreadable {e:?}"),
      }
    }
  });
  println!("serving");
}

fn call_all(context: &Context, mapping: &str, owner: &str, count: usize) {
  let mut node = new_node(context, &format!("client_{mapping}"));
  let mut all = services(&mut node, mapping, owner);
  std::thread::sleep(Duration::from_secs(2)); // discovery
  let mut tally = Tally::default();
  for _ in 0..count {
    for s in all.iter_mut() {
      s.call(&mut tally);
    }
  }
  tally.micros.sort_by(f64::total_cmp);
  let at = |q: f64| tally.micros.get((tally.micros.len() as f64 * q) as usize).copied().unwrap_or(f64::NAN);
  println!("called {mapping} {} {} {} {:.1} {:.1}", tally.calls, tally.answered, tally.foreign, at(0.5), at(0.99));
}

fn main() {
  let domain = std::env::args().nth(1).and_then(|d| d.parse().ok()).expect("usage: ros2_client_peer DOMAIN");
  let context = Context::with_options(ContextOptions::new().domain_id(domain)).expect("context");
  println!("ready");
  for line in std::io::stdin().lock().lines() {
    let line = line.expect("standard input");
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
      ["call", mapping, owner, count] => call_all(&context, mapping, owner, count.parse().expect("count")),
      ["hang", owner] => {
        let mut node = new_node(&context, "client_hang");
        let mut all = services(&mut node, "enhanced", owner);
        std::thread::sleep(Duration::from_secs(2));
        all[2].send();
        println!("sent");
      }
      ["serve", mapping, name] => {
        let node = new_node(&context, &format!("server_{mapping}"));
        match mapping_of(mapping) {
          // ros2-client 0.12.1 reads the request of the basic mapping, too, from the
          // place where its header is
          ServiceMapping::Basic => serve::<BasicHeader>(node, ServiceMapping::Basic, name, |n, _| n as f64),
          m => serve::<Steps>(node, m, name, |_, q| q.steps as f64),
        }
      }
      _ => panic!("{line}"),
    }
  }
}
