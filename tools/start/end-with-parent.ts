// Loaded into every process `npm start` starts, before its own code: when the starter is gone, however it went, the
// process asks itself to stop, instead of running on unseen with the port and the data folder.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
