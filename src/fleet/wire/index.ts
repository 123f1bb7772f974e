export * from './codec';
export { type EventRecord, type MessageRecord, type ReceiptRecord, type ReceiptState, type Refusal } from './event';
export { LIMITS } from './fields';
export { type WireIncident } from './incident';
export * from './names';
export { agentRecord, encodeAgent, incidentRecord } from './record';
export { type AgentRecord, type MachineRecord } from './state';
export { viewOf } from './view';
