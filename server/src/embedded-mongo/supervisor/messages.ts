export type ParentMessage = { kind: "start"; dir: string; socket: string } | { kind: "stop" };
export type ChildMessage = { kind: "ready" } | { kind: "failed"; reason: string; isInUse: boolean };
