export { openhands, openhandsDocument } from './adapter';
