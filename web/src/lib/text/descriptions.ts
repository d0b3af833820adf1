// Descriptions in the language of the page.

import { t, term } from '../../i18n';
import { describer } from './describer';

export const { describeFigure, describeOutcome } = describer({ t, term });
