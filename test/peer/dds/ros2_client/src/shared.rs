// What the programs of this directory share.
use ros2_client::{qos::History, Context, Node, NodeName, NodeOptions, QosProfile};

/// service_qos is the default profile of services, less deep: one call waits at a time.
pub fn service_qos() -> QosProfile {
  QosProfile::publisher_default().history(History::KeepLast { depth: 10 })
}

/// new_node is a node that takes part in discovery and logs nothing.
pub fn new_node(context: &Context, name: &str) -> Node {
  let mut node = context
    .new_node(NodeName::new("/", name).expect("name"), NodeOptions::new().enable_rosout(false))
    .expect("node");
  let spinner = node.spinner().expect("spinner");
  std::thread::spawn(move || {
    let _ = block_on(async move { spinner.spin().await });
  });
  node
}

/// block_on runs a future on this thread.
pub fn block_on<F: std::future::Future>(future: F) -> F::Output {
  use std::task::{Context, Poll, Wake, Waker};
  struct Unpark(std::thread::Thread);
  impl Wake for Unpark {
    fn wake(self: std::sync::Arc<Self>) {
      self.0.unpark();
    }
  }
  let waker = Waker::from(std::sync::Arc::new(Unpark(std::thread::current())));
  let mut future = std::pin::pin!(future);
  loop {
    match future.as_mut().poll(&mut Context::from_waker(&waker)) {
      Poll::Ready(v) => return v,
      Poll::Pending => std::thread::park(),
    }
  }
}
