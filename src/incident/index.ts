export { incidentId } from './id';
export { IncidentBook } from './book';
export { type IncidentInput, creditedOutcome } from './incident-input';
export { NOTIFIES, type NotifyDecision, mayNotify } from './notify';
export { type SessionFacts, next, open } from './reducer';
