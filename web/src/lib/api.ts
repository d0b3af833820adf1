// The backend of this build of the page, and its errors.

export { backend as api } from '#backend';
export { ApiError, errorMessage, isConflict, isForbidden, isNotFound } from './backend/errors';
