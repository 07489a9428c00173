import { icon } from '../ui/icons.tsx';

export const DashboardIcon = icon('M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z');
export const LeadsIcon = icon('M4 13 6.500 5h11L20 13v6H4zm0 0h5l1.500 2.500h3L15 13h5');
export const RecipesIcon = icon(
  'M5 4.500h10.500A3.500 3.500 0 0 1 19 8v12H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11M9 8.500h6',
);
export const TeamIcon = icon(
  'M9 11.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM3 20c0-3.300 2.700-5.500 6-5.500s6 2.200 6 5.500M16 4.800a3.500 3.500 0 0 1 0 6.400M17.500 14.900c2.100.700 3.500 2.600 3.500 5.100',
);
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
export const MailIcon = icon('M3.500 6h17v12.500h-17zM4 6.500l8 6.500 8-6.500');
export const CopyIcon = icon('M9 9h10.500v10.500H9zM15 9V4.500H4.500V15H9');
