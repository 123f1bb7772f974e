export * from './codec';
export { type EventRecord, type MessageRecord, type ReceiptRecord, type Refusal } from './event';
export { LIMITS } from './fields';
export * from './names';
export { encodeAgent, incidentRecord } from './record';
export { type AgentRecord, type MachineRecord } from './state';
export { viewOf } from './view';
