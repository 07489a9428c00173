import { createContext, use } from 'react';

/** A staff account. */
export interface StaffPerson {
  readonly id: string;
  readonly name: string;
}

/** An account that can own a lead and be mentioned in a note. */
export interface TeamMember extends StaffPerson {
  readonly username: string;
}

/** The accounts that can own a lead. */
export interface LeadStaff {
  /** The user's own account. */
  readonly me: StaffPerson | undefined;
  /** The active accounts; undefined until they are loaded. */
  readonly people: readonly TeamMember[] | undefined;
}

/** Provided by the page, because accounts belong to another feature. */
export const LeadStaffContext = createContext<LeadStaff>({ me: undefined, people: undefined });

export const useLeadStaff = (): LeadStaff => use(LeadStaffContext);
