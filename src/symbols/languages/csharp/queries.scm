; Definitions
(namespace_declaration name: (_) @name) @definition.namespace
(file_scoped_namespace_declaration name: (_) @name) @definition.namespace
(namespace_declaration name: (_) @namespace)
(file_scoped_namespace_declaration name: (_) @namespace)
(class_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(struct_declaration name: (identifier) @name) @definition.struct
(interface_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(enum_member_declaration name: (identifier) @name) @definition.enum-member
(delegate_declaration type: (_) @type name: (identifier) @name) @definition.type
(method_declaration returns: (_) @type name: (identifier) @name) @definition.method
(local_function_statement type: (_) @type name: (identifier) @name) @definition.function
(constructor_declaration name: (identifier) @name) @definition.constructor
(destructor_declaration name: (identifier) @name) @definition.method
(operator_declaration type: (_) @type operator: _ @name) @definition.method
(conversion_operator_declaration "operator" @name type: (_) @type) @definition.method
(property_declaration type: (_) @type name: (identifier) @name) @definition.property
(event_declaration type: (_) @type name: (identifier) @name) @definition.property
(field_declaration (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name) @definition.field))
(event_field_declaration (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name) @definition.field))
(record_declaration (parameter_list (parameter type: (_) @type name: (identifier) @name) @definition.property))

; Imports
(using_directive) @import
(using_directive (identifier) @ignore)
(using_directive (qualified_name name: (identifier) @ignore))
(using_directive (qualified_name name: (generic_name (identifier) @ignore)))
(namespace_declaration name: (qualified_name name: (identifier) @ignore))
(file_scoped_namespace_declaration name: (qualified_name name: (identifier) @ignore))
(qualified_name qualifier: (qualified_name name: (identifier) @ignore))

; Heritage: a class says by no word which of its bases are interfaces; their names do.
(interface_declaration (base_list [(identifier) @reference.extends (generic_name (identifier) @reference.extends)]))
(interface_declaration (base_list (qualified_name qualifier: (_) @receiver name: [(identifier) @reference.extends (generic_name (identifier) @reference.extends)])))
(struct_declaration (base_list [(identifier) @reference.implements (generic_name (identifier) @reference.implements)]))
(base_list [(identifier) @reference.implements (generic_name (identifier) @reference.implements)] (#match? @reference.implements "^I[A-Z]"))
(base_list (qualified_name qualifier: (_) @receiver name: [(identifier) @reference.implements (generic_name (identifier) @reference.implements)]) (#match? @reference.implements "^I[A-Z]"))
(base_list [(identifier) @reference.extends (generic_name (identifier) @reference.extends)])
(base_list (qualified_name qualifier: (_) @receiver name: [(identifier) @reference.extends (generic_name (identifier) @reference.extends)]))
(base_list (primary_constructor_base_type type: [(identifier) @reference.extends (generic_name (identifier) @reference.extends)]))

; Uses
(attribute name: (identifier) @reference.annotation)
(attribute name: (qualified_name qualifier: (_) @receiver name: (identifier) @reference.annotation))
(object_creation_expression type: [(identifier) @reference.new (generic_name (identifier) @reference.new)])
(object_creation_expression type: (qualified_name qualifier: (_) @receiver name: [(identifier) @reference.new (generic_name (identifier) @reference.new)]))
(invocation_expression function: [(identifier) @reference.call (generic_name (identifier) @reference.call)])
(invocation_expression function: (member_access_expression expression: _ @receiver name: [(identifier) @reference.member-call (generic_name (identifier) @reference.member-call)]))
(conditional_access_expression condition: (_) @receiver (invocation_expression function: (member_binding_expression name: [(identifier) @reference.member-call (generic_name (identifier) @reference.member-call)])))
(invocation_expression function: (conditional_access_expression condition: (_) @receiver (member_binding_expression name: [(identifier) @reference.member-call (generic_name (identifier) @reference.member-call)])))
(invocation_expression function: (member_binding_expression name: [(identifier) @reference.member-call (generic_name (identifier) @reference.member-call)]))
(member_access_expression expression: (identifier) @receiver name: (identifier) @reference.member)
(member_access_expression expression: (identifier) @reference.type (#match? @reference.type "^[A-Z]"))
(qualified_name qualifier: (_) @receiver name: [(identifier) @reference.type (generic_name (identifier) @reference.type)])
(generic_name (identifier) @reference.type)
(variable_declaration type: (identifier) @reference.type)
(parameter type: (identifier) @reference.type)
(parameter_list type: (identifier) @reference.type)
(property_declaration type: (identifier) @reference.type)
(indexer_declaration type: (identifier) @reference.type)
(event_declaration type: (identifier) @reference.type)
(delegate_declaration type: (identifier) @reference.type)
(operator_declaration type: (identifier) @reference.type)
(conversion_operator_declaration type: (identifier) @reference.type)
(local_function_statement type: (identifier) @reference.type)
(method_declaration returns: (identifier) @reference.type)
(type_argument_list (identifier) @reference.type)
(array_type type: (identifier) @reference.type)
(nullable_type type: (identifier) @reference.type)
(tuple_element type: (identifier) @reference.type)
(type_parameter_constraint type: (identifier) @reference.type)
(cast_expression type: (identifier) @reference.type)
(as_expression right: (identifier) @reference.type)
(is_expression right: (identifier) @reference.type)
(typeof_expression type: (identifier) @reference.type)
(default_expression type: (identifier) @reference.type)
(declaration_pattern type: (identifier) @reference.type)
(recursive_pattern type: (identifier) @reference.type)
(declaration_expression type: (identifier) @reference.type)
(catch_declaration type: (identifier) @reference.type)
(foreach_statement type: (identifier) @reference.type)
(explicit_interface_specifier (identifier) @reference.type)
(explicit_interface_specifier (generic_name (identifier) @reference.type))
(identifier) @reference.use
(argument name: (identifier) @ignore)
(attribute_argument name: (identifier) @ignore)

; What binds names
[(method_declaration) (constructor_declaration) (destructor_declaration) (operator_declaration) (conversion_operator_declaration) (indexer_declaration) (accessor_declaration) (local_function_statement) (lambda_expression) (anonymous_method_expression)] @scope
[(block) (for_statement) (foreach_statement) (using_statement) (catch_clause) (switch_section) (switch_expression_arm) (query_expression)] @scope
[(class_declaration) (struct_declaration) (interface_declaration) (record_declaration) (delegate_declaration)] @scope
(parameter type: (_)? @type name: (identifier) @local)
(parameter_list type: (_) @type name: (identifier) @local)
(implicit_parameter) @local
(type_parameter name: (identifier) @local)
(local_declaration_statement (variable_declaration type: (_) @type (variable_declarator name: (identifier) @local)))
(local_declaration_statement (variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @local (object_creation_expression type: (_) @type))))
(using_statement (variable_declaration type: (_) @type (variable_declarator name: (identifier) @local)))
(using_statement (variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @local (object_creation_expression type: (_) @type))))
(for_statement initializer: (variable_declaration (variable_declarator name: (identifier) @local)))
(foreach_statement type: (_) @type left: (identifier) @local)
(foreach_statement left: (tuple_pattern (identifier) @local))
(declaration_pattern type: (_) @type name: (identifier) @local)
(recursive_pattern type: (_)? @type name: (identifier) @local)
(var_pattern (identifier) @local)
(declaration_expression type: (_) @type name: (identifier) @local)
(tuple_pattern name: (identifier) @local)
(parenthesized_variable_designation (identifier) @local)
(catch_declaration type: (_) @type name: (identifier) @local)
(from_clause name: (identifier) @local)
(let_clause . (identifier) @local)
(join_clause . (identifier) @local)
