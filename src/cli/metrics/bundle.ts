// Entry of the metrics bundle, which the command line loads only when metrics are requested.
export { startCounting } from './start';
