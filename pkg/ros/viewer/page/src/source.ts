// What the page is shown: a robot that runs, or a recording. The page knows no more of where
// its data come from than this.

/** A pose, field, ... that goes in or out of a robot, as the program describes it. */
export interface Port {
  name: string;
  topic: string;
  schema: string;
  kind: string;
  in: boolean;
  labels?: string[];
  unit?: string;
  /** Where the units of the labels differ: that of each, of joints with efforts that of the effort. */
  units?: string[];
  frames?: string[];
  group?: string;
  min?: (number | null)[];
  max?: (number | null)[];
  rate?: (number | null)[];
  safe?: (number | null)[];
  /** Of a pose: the topic of the applied one, and how fast it follows at most, m/s and rad/s. */
  setpoint?: string;
  speed?: number;
  angular_speed?: number;
}

/** The robot, as the program describes it. */
export interface Panel {
  program: string;
  version: string;
  about: string;
  shown: string;
  length: number;
  timeout: number;
  ports: Port[];
  /** Of two recordings: the topic of the pose of the second. */
  overlay?: string;
  /** Of a swarm: the topic of the poses of all its robots, and how many there are. The ports are those of the first. */
  swarm?: { topic: string; count: number };
  /** Of a fleet: the nodes of its robots, and the paths of their pages. */
  fleet?: { name: string; path: string }[];
}

/** A parameter of the node with what it may be. */
export interface Parameter {
  name: string;
  value: unknown;
  type?: string;
  description?: string;
  constraints?: string;
  words?: string[];
  fixed?: string;
  min?: number | string;
  max?: number | string;
}

/** A decoded message with its time in seconds. */
export interface Message {
  topic: string;
  time: number;
  data: any;
}

export interface Reply {
  success: boolean;
  message: string;
}

/** How things stand between the page and its data. */
export type Link = "connecting" | "open" | "lost" | "refused";

/** How a recording is played; times in s. */
export interface Playback {
  playing: boolean;
  ended: boolean;
  /** Whether the time is one that somebody has gone to. */
  sought: boolean;
  time: number;
  speed: number;
  from: number;
  to: number;
}

/** What a source tells. */
export interface Listener {
  /** The robot is there, perhaps again, perhaps another one, or a recording of one: everything begins anew. */
  joined(node: string, panel: Panel, topics: Set<string>, recorded: boolean): void;
  link(state: Link, why: string): void;
  message(m: Message): void;
  /** The program tells its user something; level 0 is information, 1 a warning, 2 an error. The id says what it is about. */
  status(level: number, text: string, id: string): void;
  parameters(list: Parameter[]): void;
  /** A command of a topic is repeated no more, for a reason. */
  commandLost(topic: string, why: string): void;
  /** The source is a recording, and this is how it stands. */
  playback(p: Playback): void;
}

/** A source of data for the page. */
export interface DataSource {
  /** Whether commands, services and parameters have somewhere to go. */
  readonly live: boolean;
  start(to: Listener): void;
  /** Asks for the messages of a topic from now on, also after the robot was lost and found. */
  want(topic: string): void;
  /** Asks for no more messages of a topic. */
  forget(topic: string): void;
  /** The name by which the node knows this page as a commander. */
  readonly name: string;
  /** Publishes a message, and repeats the newest one of a topic until it is released. */
  hold(topic: string, schema: string, message: object): void;
  /** Says that no more commands come on a topic. */
  release(topic: string): void;
  hasService(name: string): boolean;
  call(name: string, request: object): Promise<Reply>;
  setParameter(p: Parameter, value: unknown): void;
  /** Plays a recording or pauses it, at a speed, and goes to a time if one is given, s. */
  control(play: boolean, speed: number, time?: number): void;
  /** The messages of topics that a recording has after a time and up to another, s. */
  history(topics: string[], from: number, to: number): Promise<Message[]>;
  /** The address for other viewers. */
  address(): string;
}
