"""Tasks of the job queue, run as the app role inside the isolation of their tenant or user (docs/tenancy.md).

A service task works on rows of many owners, as the service role.

Only the worker imports this module: procrastinate is large.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Concatenate, ParamSpec, TypeVar, get_type_hints
from uuid import UUID

from procrastinate import Blueprint, JobContext, RetryStrategy

from tenants.db.job_connections import job_connection
from tenants.db.jobs import MAX_ATTEMPTS, RETRY_BACKOFF_BASE
from tenants.db.rows import Connection

P = ParamSpec("P")
T = TypeVar("T")
# The body of a task. The arguments after the job are those that were enqueued; the ones annotated as UUID are parsed.
TenantWork = Callable[Concatenate["TenantJob", ...], Awaitable[None] | None]
UserWork = Callable[Concatenate["UserJob", ...], Awaitable[None] | None]
SystemWork = Callable[Concatenate["Job", ...], Awaitable[None] | None]
ServiceWork = Callable[Concatenate["ServiceJob", ...], Awaitable[None] | None]

RETRY = RetryStrategy(max_attempts=MAX_ATTEMPTS, exponential_wait=RETRY_BACKOFF_BASE)

_BEGIN = """
SELECT set_config('app.tenant_id', %s, true), set_config('app.user_id', %s, true), set_config('app.job_id', %s, true),
       set_config('app.acting_tenant_id', %s, true)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A running job. Its transactions see what its tenant and its user may see, like their requests.

    A job of a tenant acts on its behalf, and sees the tenant's side of bookings.
    """

    id: int
    app_dsn: str
    tenant_id: UUID | None = None
    user_id: UUID | None = None

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Open a transaction in the app role. Call external services outside of it."""
        settings = [str(value or "") for value in (self.tenant_id, self.user_id, self.id, self.tenant_id)]
        with job_connection(self.app_dsn) as conn:
            conn.execute(_BEGIN, settings)
            yield conn

    async def run(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work` in a thread, in a transaction of its own. For async tasks."""

        def run_in_transaction() -> T:
            with self.transaction() as conn:
                return work(conn, *args, **kwargs)

        return await asyncio.to_thread(run_in_transaction)

    def for_user(self, user_id: UUID) -> Job:
        """Return this job as one of a user, for a system task that changes rows of many users one by one."""
        return replace(self, user_id=user_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantJob(Job):
    """A job of a tenant."""

    tenant_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class UserJob(Job):
    """A job of a user."""

    user_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceJob:
    """A running job of the service role, to which row-level security hides nothing: its statements name their rows."""

    id: int
    service_dsn: str
    tenant_id: UUID | None = None
    user_id: UUID | None = None

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Open a transaction in the service role. Call external services outside of it."""
        with job_connection(self.service_dsn) as conn:
            yield conn


@dataclass(frozen=True, slots=True)
class RoleDsns:
    """The DSNs of the roles in which jobs work."""

    app: str
    service: str


# From the id of a job, the roles, a tenant and a user to the job.
_Start = Callable[[int, RoleDsns, UUID | None, UUID | None], Job | ServiceJob]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    """A task with its full name: what it does, and whose job it starts."""

    name: str
    work: Callable[..., Awaitable[None] | None]
    start: _Start
    cron: str = ""


class Tasks:
    """The tasks of a feature, which are functions of its module. Their full names begin with the namespace.

    The first parameter of a function is its job. One called `jobs` gets what the worker gives to all tasks: the
    adapters of the product. The others are the arguments that were enqueued.
    """

    def __init__(self, namespace: str) -> None:
        self.namespace = namespace
        self._tasks: list[_Task] = []

    def tenant_task(self, task: str) -> Callable[[TenantWork], TenantWork]:
        """Register a task that runs as the tenant of its job. `task` is the full name."""

        def start(job_id: int, dsns: RoleDsns, tenant_id: UUID | None, _user_id: UUID | None) -> TenantJob:
            if tenant_id is None:
                raise ValueError(f"a job of {task} has no tenant")
            return TenantJob(id=job_id, app_dsn=dsns.app, tenant_id=tenant_id)

        def register(work: TenantWork) -> TenantWork:
            self._add(_Task(name=task, work=work, start=start))
            return work

        return register

    def user_task(self, task: str) -> Callable[[UserWork], UserWork]:
        """Register a task that runs as the user of its job. `task` is the full name."""

        def start(job_id: int, dsns: RoleDsns, _tenant_id: UUID | None, user_id: UUID | None) -> UserJob:
            if user_id is None:
                raise ValueError(f"a job of {task} has no user")
            return UserJob(id=job_id, app_dsn=dsns.app, user_id=user_id)

        def register(work: UserWork) -> UserWork:
            self._add(_Task(name=task, work=work, start=start))
            return work

        return register

    def system_task(self, task: str, *, cron: str = "") -> Callable[[SystemWork], SystemWork]:
        """Register a task of the product itself: it sees no row of a tenant or a user.

        Rows of many users come from app.job_rows, which lists what each task may read. With `cron` the task is
        periodic. At most one job of a system task without arguments waits.
        """

        def start(job_id: int, dsns: RoleDsns, _tenant_id: UUID | None, _user_id: UUID | None) -> Job:
            return Job(id=job_id, app_dsn=dsns.app)

        def register(work: SystemWork) -> SystemWork:
            self._add(_Task(name=task, work=work, start=start, cron=cron))
            return work

        return register

    def service_task(self, task: str, *, cron: str = "") -> Callable[[ServiceWork], ServiceWork]:
        """Register a task that works as the service role, like `system_task`.

        For work on rows of many owners, or that no owner may do: its statements alone limit its rows.
        """

        def start(job_id: int, dsns: RoleDsns, tenant_id: UUID | None, user_id: UUID | None) -> ServiceJob:
            return ServiceJob(id=job_id, service_dsn=dsns.service, tenant_id=tenant_id, user_id=user_id)

        def register(work: ServiceWork) -> ServiceWork:
            self._add(_Task(name=task, work=work, start=start, cron=cron))
            return work

        return register

    def blueprint(self, dsns: RoleDsns, jobs: object) -> Blueprint:
        """Return the tasks for a worker. `jobs` is what it gives to all tasks.

        Each worker app needs its own blueprint, because registering one renames its tasks in place.
        """
        blueprint = Blueprint()
        for task in self._tasks:
            name, run = task.name.partition(":")[2], _runner(task, dsns, jobs)
            if task.cron:
                registered: Any = blueprint.task(name=name, pass_context=True, queueing_lock=task.name)(run)
                blueprint.periodic(cron=task.cron)(registered)
            else:
                blueprint.task(name=name, pass_context=True, retry=RETRY)(run)
        return blueprint

    def _add(self, task: _Task) -> None:
        namespace, _, name = task.name.partition(":")
        if namespace != self.namespace or not name:
            raise ValueError(f"{task.name} is not a task of {self.namespace}")
        self._tasks.append(task)


def _runner(task: _Task, dsns: RoleDsns, jobs: object) -> Callable[..., Awaitable[None]]:
    uuids = {key for key, kind in get_type_hints(task.work).items() if kind is UUID}
    given = {"jobs": jobs} if "jobs" in inspect.signature(task.work).parameters else {}

    async def run(context: JobContext, /, **args: Any) -> None:
        args.pop("timestamp", None)  # of a periodic job
        tenant_id, user_id = (_parse(args.pop(key, None)) for key in ("tenant_id", "user_id"))
        job = task.start(context.job.id or 0, dsns, tenant_id, user_id)
        values = {key: UUID(value) if key in uuids else value for key, value in args.items()} | given
        if inspect.iscoroutinefunction(task.work):
            await task.work(job, **values)
        else:
            await asyncio.to_thread(task.work, job, **values)

    return run


def _parse(value: str | None) -> UUID | None:
    return UUID(value) if value else None
