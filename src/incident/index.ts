export { IncidentBook } from './book';
export { incidentId } from './id';
export type { IncidentInput } from './incident-input';
export { type NotifyDecision, mayNotify } from './notify';
export type { SessionIdentity } from './reducer';
