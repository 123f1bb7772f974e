export * from './codec';
export { type EventRecord, type MessageRecord, type ReceiptRecord, type ReceiptState, type Refusal } from './event';
export { LIMITS, MOST_EVIDENCE } from './fields';
export { type WireIncident } from './incident';
export * from './names';
export { agentRecord, encodeAgent, incidentRecord } from './record';
export { type AgentRecord, FLEET_ACTIONS, type FleetAction, type MachineRecord } from './state';
export { incidentOf, viewOf } from './view';
