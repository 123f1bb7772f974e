import { connectHost } from '../host';
import { startPanel } from '../panel';

startPanel(document.body, connectHost());
