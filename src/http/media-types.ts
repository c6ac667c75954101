export const jsonType = 'application/json; charset=utf-8';
export const textType = 'text/plain; charset=utf-8';
export const eventsType = 'text/event-stream';
export const htmlType = 'text/html; charset=utf-8';
