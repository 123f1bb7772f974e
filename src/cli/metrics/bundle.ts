// What the command line loads when somebody asks for metrics, and only then: a bundle of its own.
export { startCounting } from './start';
