import type { Choice } from '../../../staff-ui/ChoiceMenu.tsx';
import type { LeadStaff, StaffPerson } from '../lead-staff.ts';

/**
 * Returns the entries of the menu of owners: the user, the other active accounts by name, and no owner.
 * @param owner - the current owner, who may have been deactivated since the accounts were loaded
 */
export function ownerChoices({ me, people = [] }: LeadStaff, owner: StaffPerson | null): Choice<string | null>[] {
  const others = people.filter(({ id }) => id !== me?.id).sort((a, b) => a.name.localeCompare(b.name, 'en'));
  const known = [...(me ? [{ ...me, name: `${me.name} (you)` }] : []), ...others];
  const missing = owner && !known.some(({ id }) => id === owner.id) ? [owner] : [];
  const names = new Map<string, number>();
  return [
    ...[...known, ...missing].map(({ id, name }) => {
      const earlier = names.get(name) ?? 0;
      names.set(name, earlier + 1);
      // Two accounts may have the same name.
      return { value: id, label: earlier === 0 ? name : `${name} (${earlier + 1})` };
    }),
    { value: null, label: 'No owner' },
  ];
}
