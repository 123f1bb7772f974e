export * from './codec';
export { type EventRecord, type MessageRecord, type ReceiptRecord, type RelayRefusal } from './event';
export { LIMITS } from './fields';
export * from './names';
export { encodeAgent, wireIncident } from './record';
export { type AgentRecord, type MachineRecord } from './state';
export { viewOf } from './view';
