import { type OverviewIntent } from '../../panel-model';
import { connectHost } from '../host';
import { startOverview } from '../overview/overview';

startOverview(document.body, connectHost<OverviewIntent>());
