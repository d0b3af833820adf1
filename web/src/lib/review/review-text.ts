// What a review says, in words.

import { formatNumber, t } from '../../i18n';
import type { Judgement } from '../types';

export function judgementName(judgement: Judgement): string {
  return t(`review.judgement.${judgement}`);
}

/** A share in per cent. */
export function percent(share: number): string {
  return `${formatNumber(Math.round(100 * share))} %`;
}
