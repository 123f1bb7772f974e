export type * from './client/types';
export type { EventRecord, MessageRecord, ReceiptRecord, ReceiptState, RelayRefusal } from './wire/event';
export type { WireIncident } from './wire/incident';
export type { AgentRecord, MachineRecord } from './wire/state';
export * from './wire/names';
export { incidentOf, viewOf } from './wire/view';
