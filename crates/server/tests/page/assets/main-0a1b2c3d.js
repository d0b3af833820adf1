export const page = true;
