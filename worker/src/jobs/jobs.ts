import type { FollowUpKind } from '@dune-tide/domain/follow-ups';
import { acknowledgement } from './acknowledgement.ts';
import type { ComposeMail } from '../compose.ts';
import { portfolioPdf } from './portfolio-pdf.ts';
import { staffNotice } from './staff-notice.ts';

/** The job of each kind of follow-up. */
export const jobs: Readonly<Record<FollowUpKind, ComposeMail>> = {
  portfolio_pdf: portfolioPdf,
  acknowledgement,
  staff_notice: staffNotice,
};
