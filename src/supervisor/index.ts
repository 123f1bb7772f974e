export { supervise, type SupervisorEvent } from './supervisor';
