import { icon } from '../ui/icons.tsx';
import { mailShape } from './mail-shape.ts';

export const NewTabIcon = icon('M13 5h6v6M19 5l-9 9M10 6H5v13h13v-5');
export const WebsiteIcon = icon(
  'M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17zM3.500 12h17M12 3.500c-5 5.500-5 11.500 0 17M12 3.500c5 5.500 5 11.500 0 17',
);
export const LogoutIcon = icon('M14 4h5v16h-5M15 12H4m0 0 4-4m-4 4 4 4');
export const RefreshIcon = icon('M19.500 12a7.500 7.500 0 1 1-2.200-5.300L20 9.300M20 4.500v4.800h-4.800');
export const PlusIcon = icon('M12 5v14M5 12h14');
export const EyeIcon = icon(
  'M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12zM12 14.800a2.800 2.800 0 1 0 0-5.600 2.800 2.800 0 0 0 0 5.600z',
);
export const ChevronDownIcon = icon('m6 9.500 6 6 6-6');
export const ChevronUpIcon = icon('m6 14.500 6-6 6 6');
export const KeyboardIcon = icon('M3 6.500h18v11H3zM7 14h10M6.500 10h.01M10 10h.01M14 10h.01M17.500 10h.01');
export const MailIcon = icon(mailShape);
export const CopyIcon = icon('M9 9h10.500v10.500H9zM15 9V4.500H4.500V15H9');
export const TrashIcon = icon(
  'M4.500 7h15M9.500 7V4.500h5V7M6.500 7l1 12.500h9l1-12.500M10 10.500v5.500M14 10.500v5.500',
);
export const DragIcon = icon('M9 6.500h.01M15 6.500h.01M9 12h.01M15 12h.01M9 17.500h.01M15 17.500h.01');
