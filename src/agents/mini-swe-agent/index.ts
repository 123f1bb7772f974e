export { miniSweAgent, miniSweAgentLog } from './adapter';
