import { accountResponse } from '../src/responses/account.ts';
import {
  activityResponse,
  announcementResponse,
  dueLeadResponse,
  statsResponse,
  trendsResponse,
} from '../src/responses/dashboard.ts';
import {
  changedCountResponse,
  followUpCountsResponse,
  followUpResponse,
  foundFollowUpResponse,
  optOutResponse,
} from '../src/responses/follow-up.ts';
import { formTokenResponse } from '../src/responses/form-token.ts';
import { healthResponse, readinessResponse } from '../src/responses/health.ts';
import { historyEntryResponse, noteResponse, replyResponse } from '../src/responses/history.ts';
import { bulkChangeResponse, leadItems, leadResponse, storedLeadResponse } from '../src/responses/lead.ts';
import { leadViewResponse } from '../src/responses/lead-view.ts';
import { auditEntryResponse } from '../src/responses/audit-entry.ts';
import {
  ownAccountResponse,
  ownSessionResponse,
  passkeyCreationResponse,
  recoveryCodesResponse,
  totpSetupResponse,
} from '../src/responses/own-account.ts';
import { erasureResponse, personalDataResponse } from '../src/responses/personal-data.ts';
import { problemResponse } from '../src/responses/problem.ts';
import { recipeResponse } from '../src/responses/recipe.ts';
import type { ResponseSchema } from '../src/responses/schema.ts';
import { passkeyRequestResponse, pendingSignInResponse, sessionResponse } from '../src/responses/session.ts';

/** The schema of every response, except that of the OpenAPI document. */
export const allResponses: readonly ResponseSchema[] = [
  ...Object.values(leadItems),
  leadResponse,
  bulkChangeResponse,
  historyEntryResponse,
  noteResponse,
  leadViewResponse,
  personalDataResponse,
  erasureResponse,
  replyResponse,
  storedLeadResponse,
  formTokenResponse,
  followUpResponse,
  foundFollowUpResponse,
  followUpCountsResponse,
  changedCountResponse,
  optOutResponse,
  statsResponse,
  activityResponse,
  dueLeadResponse,
  trendsResponse,
  announcementResponse,
  recipeResponse,
  accountResponse,
  sessionResponse,
  ownAccountResponse,
  ownSessionResponse,
  auditEntryResponse,
  pendingSignInResponse,
  totpSetupResponse,
  recoveryCodesResponse,
  passkeyCreationResponse,
  passkeyRequestResponse,
  healthResponse,
  readinessResponse,
  problemResponse,
];
